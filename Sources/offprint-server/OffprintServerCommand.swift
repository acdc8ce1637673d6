import OffprintService

@main
struct OffprintServerCommand {
  static func main() { ServiceCommand.main() }
}
