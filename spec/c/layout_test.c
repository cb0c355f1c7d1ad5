/* The binary layout of every table, as TensorFlow ships it. All of it is proven by the compiler, in
 * C11, C17, C++11 and C++17. LAYOUT_CONTROL adds a lie that must not compile. */
#include <modfs/filesystem.h>
#include <modfs/stream_executor.h>
#include <modfs/stream_executor_rfc.h>

#include <stdio.h>

#ifdef __cplusplus
#define STATIC_ASSERT(condition) static_assert(condition, #condition)
#else
#define STATIC_ASSERT(condition) _Static_assert(condition, #condition)
#endif

#define SIZE(type, bytes) STATIC_ASSERT(sizeof(type) == (bytes))
#define AT(type, member, bytes) STATIC_ASSERT(offsetof(type, member) == (bytes))
#define IS(constant, number) STATIC_ASSERT((constant) == (number))

/* Four members that follow one another, of eight bytes each. */
#define FOUR(type, bytes, a, b, c, d)                                                              \
  AT(type, a, bytes);                                                                              \
  AT(type, b, (bytes) + 8);                                                                        \
  AT(type, c, (bytes) + 16);                                                                       \
  AT(type, d, (bytes) + 24)

/* The two members that nearly every struct of stream_executor.h begins with. */
#define HEAD(type)                                                                                 \
  AT(type, struct_size, 0);                                                                        \
  AT(type, ext, 8)

IS(TF_OK, 0);
IS(TF_CANCELLED, 1);
IS(TF_UNKNOWN, 2);
IS(TF_INVALID_ARGUMENT, 3);
IS(TF_DEADLINE_EXCEEDED, 4);
IS(TF_NOT_FOUND, 5);
IS(TF_ALREADY_EXISTS, 6);
IS(TF_PERMISSION_DENIED, 7);
IS(TF_RESOURCE_EXHAUSTED, 8);
IS(TF_FAILED_PRECONDITION, 9);
IS(TF_ABORTED, 10);
IS(TF_OUT_OF_RANGE, 11);
IS(TF_UNIMPLEMENTED, 12);
IS(TF_INTERNAL, 13);
IS(TF_UNAVAILABLE, 14);
IS(TF_DATA_LOSS, 15);
IS(TF_UNAUTHENTICATED, 16);
SIZE(TF_Code, 4);

IS(TF_Filesystem_Option_Type_Int, 0);
IS(TF_Filesystem_Option_Type_Real, 1);
IS(TF_Filesystem_Option_Type_Buffer, 2);
IS(TF_Filesystem_Num_Option_Types, 3);
IS(TF_RANDOM_ACCESS_FILE_OPS_API, 0);
IS(TF_RANDOM_ACCESS_FILE_OPS_ABI, 0);
IS(TF_WRITABLE_FILE_OPS_API, 0);
IS(TF_WRITABLE_FILE_OPS_ABI, 0);
IS(TF_READ_ONLY_MEMORY_REGION_OPS_API, 0);
IS(TF_READ_ONLY_MEMORY_REGION_OPS_ABI, 0);
IS(TF_FILESYSTEM_OPS_API, 0);
IS(TF_FILESYSTEM_OPS_ABI, 0);

IS(SE_MAJOR, 0);
IS(SE_MINOR, 0);
IS(SE_PATCH, 1);
IS(SE_EVENT_UNKNOWN, 0);
IS(SE_EVENT_ERROR, 1);
IS(SE_EVENT_PENDING, 2);
IS(SE_EVENT_COMPLETE, 3);
SIZE(SE_EventStatus, 4);
SIZE(TF_Bool, 1);
SIZE(bool, 1);

#ifdef __LP64__

/* Filesystems */

SIZE(TF_RandomAccessFile, 8);
AT(TF_RandomAccessFile, plugin_file, 0);
SIZE(TF_WritableFile, 8);
AT(TF_WritableFile, plugin_file, 0);
SIZE(TF_ReadOnlyMemoryRegion, 8);
AT(TF_ReadOnlyMemoryRegion, plugin_memory_region, 0);
SIZE(TF_Filesystem, 8);
AT(TF_Filesystem, plugin_filesystem, 0);
SIZE(TF_TransactionToken, 16);
AT(TF_TransactionToken, token, 0);
AT(TF_TransactionToken, owner, 8);
SIZE(TF_FileStatistics, 24);
AT(TF_FileStatistics, length, 0);
AT(TF_FileStatistics, mtime_nsec, 8);
AT(TF_FileStatistics, is_directory, 16);

SIZE(TF_Filesystem_Option_Value_Union, 16);
AT(TF_Filesystem_Option_Value_Union, int_val, 0);
AT(TF_Filesystem_Option_Value_Union, real_val, 0);
AT(TF_Filesystem_Option_Value_Union, buffer_val.buf, 0);
AT(TF_Filesystem_Option_Value_Union, buffer_val.buf_length, 8);
SIZE(TF_Filesystem_Option_Value, 16);
AT(TF_Filesystem_Option_Value, type_tag, 0);
AT(TF_Filesystem_Option_Value, num_values, 4);
AT(TF_Filesystem_Option_Value, values, 8);
SIZE(TF_Filesystem_Option, 32);
FOUR(TF_Filesystem_Option, 0, name, description, per_file, value);

SIZE(TF_RandomAccessFileOps, 16);
AT(TF_RandomAccessFileOps, cleanup, 0);
AT(TF_RandomAccessFileOps, read, 8);
SIZE(TF_WritableFileOps, 48);
FOUR(TF_WritableFileOps, 0, cleanup, append, tell, flush);
AT(TF_WritableFileOps, sync, 32);
AT(TF_WritableFileOps, close, 40);
SIZE(TF_ReadOnlyMemoryRegionOps, 24);
AT(TF_ReadOnlyMemoryRegionOps, cleanup, 0);
AT(TF_ReadOnlyMemoryRegionOps, data, 8);
AT(TF_ReadOnlyMemoryRegionOps, length, 16);

SIZE(TF_FilesystemOps, 264);
FOUR(TF_FilesystemOps, 0, init, cleanup, new_random_access_file, new_writable_file);
FOUR(TF_FilesystemOps, 32, new_appendable_file, new_read_only_memory_region_from_file, create_dir,
     recursively_create_dir);
FOUR(TF_FilesystemOps, 64, delete_file, delete_dir, delete_recursively, rename_file);
FOUR(TF_FilesystemOps, 96, copy_file, path_exists, paths_exist, stat);
FOUR(TF_FilesystemOps, 128, is_directory, get_file_size, translate_name, get_children);
FOUR(TF_FilesystemOps, 160, get_matching_paths, flush_caches, start_transaction, end_transaction);
FOUR(TF_FilesystemOps, 192, add_to_transaction, get_transaction_for_path,
     get_or_start_transaction_for_path, decode_transaction_token);
FOUR(TF_FilesystemOps, 224, get_filesystem_configuration, set_filesystem_configuration,
     get_filesystem_configuration_option, set_filesystem_configuration_option);
AT(TF_FilesystemOps, get_filesystem_configuration_keys, 256);

SIZE(TF_FilesystemPluginOps, 104);
AT(TF_FilesystemPluginOps, scheme, 0);
AT(TF_FilesystemPluginOps, filesystem_ops_abi, 8);
AT(TF_FilesystemPluginOps, filesystem_ops_api, 12);
AT(TF_FilesystemPluginOps, filesystem_ops_size, 16);
AT(TF_FilesystemPluginOps, filesystem_ops, 24);
AT(TF_FilesystemPluginOps, random_access_file_ops_abi, 32);
AT(TF_FilesystemPluginOps, random_access_file_ops_api, 36);
AT(TF_FilesystemPluginOps, random_access_file_ops_size, 40);
AT(TF_FilesystemPluginOps, random_access_file_ops, 48);
AT(TF_FilesystemPluginOps, writable_file_ops_abi, 56);
AT(TF_FilesystemPluginOps, writable_file_ops_api, 60);
AT(TF_FilesystemPluginOps, writable_file_ops_size, 64);
AT(TF_FilesystemPluginOps, writable_file_ops, 72);
AT(TF_FilesystemPluginOps, read_only_memory_region_ops_abi, 80);
AT(TF_FilesystemPluginOps, read_only_memory_region_ops_api, 84);
AT(TF_FilesystemPluginOps, read_only_memory_region_ops_size, 88);
AT(TF_FilesystemPluginOps, read_only_memory_region_ops, 96);
SIZE(TF_FilesystemPluginInfo, 32);
FOUR(TF_FilesystemPluginInfo, 0, num_schemes, ops, plugin_memory_allocate, plugin_memory_free);

IS(TF_RANDOM_ACCESS_FILE_OPS_SIZE, 16);
IS(TF_WRITABLE_FILE_OPS_SIZE, 48);
IS(TF_READ_ONLY_MEMORY_REGION_OPS_SIZE, 24);
IS(TF_FILESYSTEM_OPS_SIZE, 264);

/* Devices */

IS(SP_PLATFORM_STRUCT_SIZE, 35);
HEAD(SP_Platform);
AT(SP_Platform, name, 16);
AT(SP_Platform, type, 24);
AT(SP_Platform, supports_unified_memory, 32);
AT(SP_Platform, use_bfc_allocator, 33);
AT(SP_Platform, force_memory_growth, 34);
SIZE(SP_Platform, 40);

IS(SP_PLATFORM_FNS_STRUCT_SIZE, 88);
HEAD(SP_PlatformFns);
FOUR(SP_PlatformFns, 16, get_device_count, create_device, destroy_device, create_device_fns);
FOUR(SP_PlatformFns, 48, destroy_device_fns, create_stream_executor, destroy_stream_executor,
     create_timer_fns);
AT(SP_PlatformFns, destroy_timer_fns, 80);
SIZE(SP_PlatformFns, 88);

IS(SP_DEVICE_STRUCT_SIZE, 56);
HEAD(SP_Device);
FOUR(SP_Device, 16, ordinal, device_handle, hardware_name, device_vendor);
AT(SP_Device, pci_bus_id, 48);
SIZE(SP_Device, 56);

IS(SP_DEVICE_FNS_STRUCT_SIZE, 40);
HEAD(SP_DeviceFns);
AT(SP_DeviceFns, get_numa_node, 16);
AT(SP_DeviceFns, get_memory_bandwidth, 24);
AT(SP_DeviceFns, get_gflops, 32);
SIZE(SP_DeviceFns, 40);

IS(SP_TIMER_FNS_STRUCT_SIZE, 24);
HEAD(SP_TimerFns);
AT(SP_TimerFns, nanoseconds, 16);
SIZE(SP_TimerFns, 24);

IS(SP_ALLOCATORSTATS_STRUCT_SIZE, 96);
FOUR(SP_AllocatorStats, 0, struct_size, num_allocs, bytes_in_use, peak_bytes_in_use);
FOUR(SP_AllocatorStats, 32, largest_alloc_size, has_bytes_limit, bytes_limit, bytes_reserved);
FOUR(SP_AllocatorStats, 64, peak_bytes_reserved, has_bytes_reservable_limit, bytes_reservable_limit,
     largest_free_block_bytes);
SIZE(SP_AllocatorStats, 96);

IS(SP_DEVICE_MEMORY_BASE_STRUCT_SIZE, 40);
HEAD(SP_DeviceMemoryBase);
AT(SP_DeviceMemoryBase, opaque, 16);
AT(SP_DeviceMemoryBase, size, 24);
AT(SP_DeviceMemoryBase, payload, 32);
SIZE(SP_DeviceMemoryBase, 40);

IS(SP_STREAMEXECUTOR_STRUCT_SIZE, 288);
HEAD(SP_StreamExecutor);
FOUR(SP_StreamExecutor, 16, allocate, deallocate, host_memory_allocate, host_memory_deallocate);
FOUR(SP_StreamExecutor, 48, unified_memory_allocate, unified_memory_deallocate, get_allocator_stats,
     device_memory_usage);
FOUR(SP_StreamExecutor, 80, create_stream, destroy_stream, create_stream_dependency,
     get_stream_status);
FOUR(SP_StreamExecutor, 112, create_event, destroy_event, get_event_status, record_event);
FOUR(SP_StreamExecutor, 144, wait_for_event, create_timer, destroy_timer, start_timer);
FOUR(SP_StreamExecutor, 176, stop_timer, memcpy_dtoh, memcpy_htod, memcpy_dtod);
FOUR(SP_StreamExecutor, 208, sync_memcpy_dtoh, sync_memcpy_htod, sync_memcpy_dtod,
     block_host_for_event);
FOUR(SP_StreamExecutor, 240, block_host_until_done, synchronize_all_activity, mem_zero, memset);
AT(SP_StreamExecutor, memset32, 272);
AT(SP_StreamExecutor, host_callback, 280);
SIZE(SP_StreamExecutor, 288);

IS(SE_CREATE_DEVICE_PARAMS_STRUCT_SIZE, 32);
HEAD(SE_CreateDeviceParams);
AT(SE_CreateDeviceParams, ordinal, 16);
AT(SE_CreateDeviceParams, device, 24);
SIZE(SE_CreateDeviceParams, 32);
IS(SE_CREATE_DEVICE_FNS_PARAMS_STRUCT_SIZE, 24);
HEAD(SE_CreateDeviceFnsParams);
AT(SE_CreateDeviceFnsParams, device_fns, 16);
SIZE(SE_CreateDeviceFnsParams, 24);
IS(SE_CREATE_STREAM_EXECUTOR_PARAMS_STRUCT_SIZE, 24);
HEAD(SE_CreateStreamExecutorParams);
AT(SE_CreateStreamExecutorParams, stream_executor, 16);
SIZE(SE_CreateStreamExecutorParams, 24);

IS(SE_PLATFORM_REGISTRATION_PARAMS_STRUCT_SIZE, 64);
HEAD(SE_PlatformRegistrationParams);
AT(SE_PlatformRegistrationParams, major_version, 16);
AT(SE_PlatformRegistrationParams, minor_version, 20);
FOUR(SE_PlatformRegistrationParams, 24, patch_version, platform, platform_fns, destroy_platform);
AT(SE_PlatformRegistrationParams, destroy_platform_fns, 56);
SIZE(SE_PlatformRegistrationParams, 64);

HEAD(SP_RfcAllocator);
AT(SP_RfcAllocator, supports_unified_memory, 16);
IS(SP_RFC_ALLOCATOR_STRUCT_SIZE, 17);
HEAD(SP_RfcAllocatorFns);
FOUR(SP_RfcAllocatorFns, 16, allocate, deallocate, host_memory_allocate, host_memory_deallocate);
FOUR(SP_RfcAllocatorFns, 48, unified_memory_allocate, unified_memory_deallocate,
     get_allocator_stats, device_memory_usage);
IS(SP_RFC_ALLOCATOR_FNS_STRUCT_SIZE, 80);
HEAD(SP_RfcCustomAllocator);
IS(SP_RFC_CUSTOM_ALLOCATOR_STRUCT_SIZE, 16);
HEAD(SP_RfcCustomAllocatorFns);
FOUR(SP_RfcCustomAllocatorFns, 16, allocate_raw, deallocate_raw, host_allocate_raw,
     host_deallocate_raw);
AT(SP_RfcCustomAllocatorFns, get_allocator_stats, 48);
AT(SP_RfcCustomAllocatorFns, device_memory_usage, 56);
IS(SP_RFC_CUSTOM_ALLOCATOR_FNS_STRUCT_SIZE, 64);
HEAD(SE_RfcCreateAllocatorParams);
AT(SE_RfcCreateAllocatorParams, allocator, 16);
AT(SE_RfcCreateAllocatorParams, allocator_fns, 24);
IS(SE_RFC_CREATE_ALLOCATOR_PARAMS_STRUCT_SIZE, 32);
HEAD(SE_RfcCreateCustomAllocatorParams);
AT(SE_RfcCreateCustomAllocatorParams, custom_allocator, 16);
AT(SE_RfcCreateCustomAllocatorParams, custom_allocator_fns, 24);
IS(SE_RFC_CREATE_CUSTOM_ALLOCATOR_PARAMS_STRUCT_SIZE, 32);
HEAD(SP_RfcPlatform);
FOUR(SP_RfcPlatform, 16, name, type, visible_device_count, supports_unified_memory);
IS(SP_RFC_PLATFORM_STRUCT_SIZE, 40);
IS(SP_RFC_MERGED_PLATFORM_STRUCT_SIZE, 41);
HEAD(SP_RfcPlatformFns);
FOUR(SP_RfcPlatformFns, 16, create_device, destroy_device, create_stream_executor,
     destroy_stream_executor);
FOUR(SP_RfcPlatformFns, 48, create_timer_fns, destroy_timer_fns, create_allocator,
     destroy_allocator);
AT(SP_RfcPlatformFns, create_custom_allocator, 80);
AT(SP_RfcPlatformFns, destroy_custom_allocator, 88);
SIZE(SP_RfcPlatformFns, 96);
IS(SP_RFC_PLATFORM_FNS_STRUCT_SIZE, 64);
IS(SP_RFC_HOST_CALLBACK_OFFSET, offsetof(SP_StreamExecutor, mem_zero));

#ifdef LAYOUT_CONTROL
AT(TF_FilesystemOps, stat, 112);
#endif

#define LAYOUT_PROVEN "every offset and size"
#else
#define LAYOUT_PROVEN "numbers only, this is no LP64 system:"
#endif

int main(void) {
  printf("ok 1 - the compiler has proven the layout (%s, %ld)\n1..1\n", LAYOUT_PROVEN,
#ifdef __cplusplus
         (long)__cplusplus);
#else
         (long)__STDC_VERSION__);
#endif
  return 0;
}
