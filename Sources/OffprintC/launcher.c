// bin/offprint of a Python package: the command line of the shared library beside it.
extern int offprint_main(void);
int main(void) { return offprint_main(); }
