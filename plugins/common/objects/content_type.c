#include "content_type.h"

#include <string.h>
#include <strings.h>

#include "filesystem.h"

/* NULL: the extension is not known. */
static const char *type_of(const char *key) {
  static const struct {
    const char *extension, *type;
  } known[] = {
      {"avif", "image/avif"},       {"bmp", "image/bmp"},         {"css", "text/css"},
      {"csv", "text/csv"},          {"gif", "image/gif"},         {"gz", "application/gzip"},
      {"htm", "text/html"},         {"html", "text/html"},        {"ico", "image/x-icon"},
      {"jpeg", "image/jpeg"},       {"jpg", "image/jpeg"},        {"js", "text/javascript"},
      {"json", "application/json"}, {"md", "text/markdown"},      {"mjs", "text/javascript"},
      {"mp3", "audio/mpeg"},        {"mp4", "video/mp4"},         {"ogg", "audio/ogg"},
      {"pdf", "application/pdf"},   {"png", "image/png"},         {"svg", "image/svg+xml"},
      {"tar", "application/x-tar"}, {"tif", "image/tiff"},        {"tiff", "image/tiff"},
      {"txt", "text/plain"},        {"wasm", "application/wasm"}, {"wav", "audio/wav"},
      {"webm", "video/webm"},       {"webp", "image/webp"},       {"woff2", "font/woff2"},
      {"xml", "application/xml"},   {"zip", "application/zip"},   {"zst", "application/zstd"},
  };
  const char *dot = strrchr(key, '.');
  for (size_t i = 0; dot && i < sizeof known / sizeof *known; i++)
    if (strcasecmp(dot + 1, known[i].extension) == 0) return known[i].type;
  return NULL;
}

const char *objects_content_type(const TF_Filesystem *filesystem, const objects_name *name) {
  const char *type = remote_text(filesystem, OBJECTS_CONTENT_TYPE);
  if (strcmp(type, "auto") == 0) type = type_of(name->key);
  return type ? type : "";
}
