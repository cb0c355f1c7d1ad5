/* Transactions: one writes one new archive, and publishes it at its end. */
#ifndef ARCHIVE_TRANSACTION_H
#define ARCHIVE_TRANSACTION_H

#include "../common/slot/slot.h"

FS_SLOT(start_transaction) archive_start_transaction;
FS_SLOT(end_transaction) archive_end_transaction;
FS_SLOT(add_to_transaction) archive_add_to_transaction;
FS_SLOT(get_transaction_for_path) archive_get_transaction_for_path;
FS_SLOT(get_or_start_transaction_for_path) archive_get_or_start_transaction_for_path;
EXTENSION_SLOT(abort_transaction) archive_abort_transaction;

#endif
