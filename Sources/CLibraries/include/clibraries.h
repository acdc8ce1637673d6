#pragma once

/// Opens every library that pages may need, where that is to happen before a process serves; the name of the first that is missing, or null.
const char *clibraries_open_all(void);
