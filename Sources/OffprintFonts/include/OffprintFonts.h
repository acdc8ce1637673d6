// The fonts that are resources of this package. Nothing is declared here: Offprint finds the folder beside the program.
