/* Puts a plugin together: the slots of plugins/common/store over the service of the plugin.
 *
 *   static const modfs_extension_ops extension = {STORE_EXTENSION, .presign = az_presign};
 *
 *   void TF_InitPlugin(TF_FilesystemPluginInfo *plugin_info) {
 *     static const located_scheme schemes[] = {{"az", az_init, az_cleanup}, {.name = NULL}};
 *     store_register(plugin_info, schemes, NULL);
 *   }
 *
 *   const modfs_extension_ops *modfs_extension(const char *scheme) {
 *     return located_serves(schemes, scheme) ? &extension : NULL;
 *   }
 *
 * init allocates the plugin's state, which begins with an objects_filesystem, and calls store_init. cleanup
 * calls store_close first, then frees what is the plugin's, calls store_fini and frees the state. */
#ifndef STORE_PLUGIN_H
#define STORE_PLUGIN_H

#include "../about/about.h"
#include "../located/schemes.h"
#include "../objects/filesystem.h"
#include "../slot/slot.h"
#include "attributes.h"
#include "file.h"
#include "hash.h"
#include "listing.h"
#include "transaction.h"
#include "writable.h"
#include "xattrs.h"

#define STORE_EXTENSION STORE_EXTENSION_OF(store_open_writer, store_set_writer_attributes)

/* The same for a plugin that opens writers itself. */
#define STORE_EXTENSION_OF(opens, sets)                                                            \
  ABOUT_MODFS,                                                                                     \
      .open_directory = store_open_directory, .next_entry = store_next_entry,                      \
      .close_directory = store_close_directory, .abort_transaction = store_abort_transaction,      \
      .deviations = MODFS_SHOWN_AT_CLOSE | MODFS_PARENTS_IMPLIED | MODFS_NAMES_ARE_TEXT |          \
                    MODFS_COMMITS_IN_STEPS,                                                        \
      .in_flight = 8, .open_writer = opens, .lstat = store_lstat, .get_attributes = store_lstat,   \
      .set_attributes = store_set_attributes, .set_writer_attributes = sets,                       \
      .stored_hash = store_stored_hash, .reader_attributes = store_reader_attributes,              \
      .accept_interruption = remote_accept_interruption

/* The tables of all schemes. A plugin that has more to do in a slot registers a changed copy of a table. */
extern const modfs_register_tables store_tables;

/* Registers the schemes. tables: the plugin's, the first of which must live as long; NULL: store_tables. */
void store_register(TF_FilesystemPluginInfo *plugin_info, const located_scheme *schemes,
                    const modfs_register_tables *tables);

/* Starts what store keeps in a state, which starts zeroed but for scheme and service. false: status says
 * why, and the caller still calls store_fini. */
bool store_init(objects_filesystem *self, const option_table *table, TF_Status *status);

/* For cleanup: aborts what is open, while the plugin's state is whole. No state is allowed, too. */
void store_close(TF_Filesystem *filesystem);

/* Frees what store keeps, but not the state itself. */
void store_fini(objects_filesystem *self);

#endif
