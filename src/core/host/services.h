/* What the host offers to plugins: the table of accept_host. */
#ifndef MODFS_CORE_SERVICES_H
#define MODFS_CORE_SERVICES_H

#include <modfs/extension.h>

extern const modfs_host host_services;

#endif
