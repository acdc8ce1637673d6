// bin/offprint in the Python package: runs the command line in the shared library beside it.
extern int offprint_main(void);
int main(void) { return offprint_main(); }
