// The fonts that travel with the package, as its resources. Nothing is declared here: Offprint finds the folder beside the program.
