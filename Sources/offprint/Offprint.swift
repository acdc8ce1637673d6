@main struct OffprintCommand { static func main() {} }
