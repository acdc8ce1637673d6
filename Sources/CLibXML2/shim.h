#pragma once
// The part of libxml2's stable interface that the XML parser uses. The library is loaded for the first XML page, because loading it and its
// dependencies takes longer than rendering an HTML page.

#include <stddef.h>

typedef unsigned char xmlChar;
typedef struct _xmlParserCtxt *xmlParserCtxtPtr;

typedef struct _xmlError {
  int domain;
  int code;
  char *message;
  int level;  // 3 is fatal
  char *file;
  int line;
  char *str1, *str2, *str3;
  int int1;
  int int2;  // column
  void *ctxt;
  void *node;
} xmlError;

typedef struct _xmlSAXHandler {
  void (*internalSubset)(void *context, const xmlChar *name, const xmlChar *publicID, const xmlChar *systemID);
  void *isStandalone, *hasInternalSubset, *hasExternalSubset, *resolveEntity, *getEntity, *entityDecl, *notationDecl, *attributeDecl;
  void *elementDecl, *unparsedEntityDecl, *setDocumentLocator, *startDocument, *endDocument, *startElement, *endElement, *reference;
  void (*characters)(void *context, const xmlChar *text, int length);
  void (*ignorableWhitespace)(void *context, const xmlChar *text, int length);
  void (*processingInstruction)(void *context, const xmlChar *target, const xmlChar *data);
  void (*comment)(void *context, const xmlChar *value);
  void *warning, *error, *fatalError, *getParameterEntity;
  void (*cdataBlock)(void *context, const xmlChar *text, int length);
  void *externalSubset;
  unsigned int initialized;
  void *_private;
  void (*startElementNs)(
      void *context, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri, int namespaceCount, const xmlChar **namespaces,
      int attributeCount, int defaultedCount, const xmlChar **attributes);
  void (*endElementNs)(void *context, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri);
  void (*serror)(void *context, xmlError *error);
} xmlSAXHandler;

enum {
  XML_SAX2_MAGIC = (int)0xDEEDBEAF,
  XML_PARSE_NOENT = 1 << 1,  // expands &amp; in attribute values to an ampersand
  XML_PARSE_NONET = 1 << 11,
  XML_PARSE_HUGE = 1 << 19,
  XML_PARSE_IGNORE_ENC = 1 << 21,
  XML_ERR_FATAL = 3,
};
