/* The properties of core-site.xml and hdfs-site.xml. A set never changes; files that have changed make
 * a new one. */
#ifndef HDFS_SITE_H
#define HDFS_SITE_H

#include <modfs/status.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct hdfs_site hdfs_site;

/* The properties of the files in that folder, "" for none; a missing file has none. NULL on failure.
 * Owns: hdfs_site_free. */
hdfs_site *hdfs_site_load(const char *folder, TF_Status *status);
void hdfs_site_free(hdfs_site *self);

/* Adds the properties of one document; false where it is malformed or memory is short. */
bool hdfs_site_parse(hdfs_site *self, const char *bytes, size_t n);
hdfs_site *hdfs_site_new(void);

/* Copies the value of a property with its ${variables} replaced; false where there is none, or it does
 * not fit. */
bool hdfs_site_get(const hdfs_site *self, const char *name, char *value, size_t size);

/* The name and value of a property by its number; false beyond the last. Owns: the set. */
bool hdfs_site_at(const hdfs_site *self, size_t number, const char **name, const char **value);

/* Whether the files are still those that were loaded. */
bool hdfs_site_is_present(const hdfs_site *self, const char *folder);

#endif
