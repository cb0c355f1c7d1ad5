/* Validation of a device plugin's tables, in the contract's order: each failure is
 * FAILED_PRECONDITION and names the field. All do nothing if status is a failure already. */
#ifndef MODFS_CORE_DEVICE_RULES_H
#define MODFS_CORE_DEVICE_RULES_H

#include "device_abi.h"

void device_check_size(size_t struct_size, const char *name, TF_Status *status);
void device_check_params(const SE_PlatformRegistrationParams *params, TF_Status *status);
/* Also copies name and type, as the plugin's need not outlive SE_InitPlugin. */
void device_check_platform(device_abi *abi, TF_Status *status);
void device_check_device_fns(const device_abi *abi, TF_Status *status);
void device_check_allocator(const device_abi *abi, TF_Status *status);
void device_check_executor(const device_abi *abi, TF_Status *status);
void device_check_timer_fns(const device_abi *abi, TF_Status *status);

#endif
