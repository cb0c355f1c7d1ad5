/* The five generations of a device plugin's tables, converted to one form: the newest shipped one.
 */
#ifndef MODFS_CORE_DEVICE_ABI_H
#define MODFS_CORE_DEVICE_ABI_H

#include <modfs/device.h>
#include <modfs/stream_executor_rfc.h>

/* Room for all that a plugin of any generation writes into a struct that it is passed. */
#define ABI_ROOM 512

/* Room for a platform's name and type. */
#define ABI_WORD_ROOM 256

typedef union abi_block {
  size_t struct_size; /* every struct begins with it */
  char bytes[ABI_ROOM];
  void *slots[ABI_ROOM / sizeof(void *)];
  SP_Platform platform;
  SP_PlatformFns platform_fns;
  SP_DeviceFns device_fns;
  SP_StreamExecutor executor;
  SP_TimerFns timer_fns;
  SP_Device device;
  SP_RfcPlatform rfc_platform;
  SP_RfcPlatformFns rfc_platform_fns;
  SP_RfcAllocator rfc_allocator;
  SP_RfcAllocatorFns rfc_allocator_fns;
  SP_RfcCustomAllocator rfc_custom;
  SP_RfcCustomAllocatorFns rfc_custom_fns;
} abi_block;

typedef struct device_abi device_abi;

/* A device as the plugin filled it in, and its platform, which the defaults find by the device
 * alone. */
typedef struct abi_device {
  abi_block block; /* first */
  const device_abi *abi;
} abi_device;

/* Which function allocates memory. */
typedef enum abi_allocator {
  ABI_ALLOCATOR_EXECUTOR = 0, /* the executor, as shipped */
  ABI_ALLOCATOR_RFC,          /* the RFC's create_allocator */
  ABI_ALLOCATOR_CUSTOM        /* the RFC's create_custom_allocator */
} abi_allocator;

struct device_abi {
  bool rfc;
  int major; /* the versions in the params, as the plugin left them */
  int minor;
  /* As the plugin filled them in: these are passed back to its functions. */
  abi_block platform;
  abi_block platform_fns;
  abi_block executor_block;
  abi_block device_fns_block;
  abi_block timer_fns_block;
  abi_block allocator_block;
  abi_block allocator_fns_block;
  void (*destroy_platform)(SP_Platform *platform);
  void (*destroy_platform_fns)(SP_PlatformFns *platform_fns);
  /* Converted; complete after device_settle. */
  char name[ABI_WORD_ROOM];
  char type[ABI_WORD_ROOM];
  SP_PlatformFns fns;
  SP_StreamExecutor executor;
  SP_DeviceFns device_fns;
  SP_RfcAllocatorFns rfc_allocator_fns;
  SP_RfcCustomAllocatorFns custom_allocator_fns;
  uint64_t (*timer_nanoseconds)(SP_Timer timer);
  abi_allocator allocator;
  bool unified;
  bool bfc;
  bool grows;
  size_t device_count; /* the RFC's, which had it in the platform */
  unsigned made;       /* which parts were created and have to be destroyed */
};

typedef void (*abi_init)(SE_PlatformRegistrationParams *params, TF_Status *status);

/* Calls the entry point, detects the generation, validates every table in the contract's order, and
 * creates the parts of the platform. On failure it destroys those created. */
void device_abi_init(device_abi *abi, abi_init entry, TF_Status *status);

/* The struct_size that the plugin set in a table, INT32_MAX at most; 0 if it set none. */
size_t device_abi_declared(const device_abi *abi, modfs_device_table table);

/* Destroys the parts in the contract's order. */
void device_abi_fini(device_abi *abi);

/* The calls whose form differs between generations. */
int device_abi_count(const device_abi *abi, TF_Status *status);
void device_abi_create_device(const device_abi *abi, int ordinal, abi_device *device,
                              TF_Status *status);
void device_abi_allocate(const device_abi *abi, const SP_Device *device, uint64_t size,
                         SP_DeviceMemoryBase *memory);
void device_abi_deallocate(const device_abi *abi, const SP_Device *device,
                           SP_DeviceMemoryBase *memory);
void *device_abi_host_allocate(const device_abi *abi, const SP_Device *device, uint64_t size);
void device_abi_host_deallocate(const device_abi *abi, const SP_Device *device, void *memory);
void *device_abi_unified_allocate(const device_abi *abi, const SP_Device *device, uint64_t size);
void device_abi_unified_deallocate(const device_abi *abi, const SP_Device *device, void *memory);
bool device_abi_stats(const device_abi *abi, const SP_Device *device, SP_AllocatorStats *stats);
bool device_abi_usage(const device_abi *abi, const SP_Device *device, int64_t *free,
                      int64_t *total);

#endif
