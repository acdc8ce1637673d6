import OffprintCommandLine
import OffprintCoreTypes

#if COMBINED
  import OffprintService
#endif

@main
struct OffprintProgram {
  static func main() {
    #if COMBINED
      if Program.arguments.first?.split(byte: "/").last == "offprint-server" { ServiceCommand.main() }
    #endif
    CommandLineProgram.main()
  }
}
