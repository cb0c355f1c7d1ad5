/* The devices: a fixed array, each in use between create_device and destroy_device. */
#ifndef REFERENCE_DEVICE_H
#define REFERENCE_DEVICE_H

#include <modfs/stream_executor.h>

/* SP_Device.device_handle points to it. All but ordinal and bus is under the lock of process.h. */
typedef struct reference_device {
  int ordinal;
  int users; /* create_device calls without their destroy_device */
  char bus[24];
  SP_AllocatorStats stats;
  SP_Stream streams; /* head of the list of its streams */
} reference_device;

static inline reference_device *reference_device_of(const SP_Device *device) {
  return device->device_handle;
}

void reference_device_count(const SP_Platform *platform, int *count, TF_Status *status);
void reference_device_create(const SP_Platform *platform, SE_CreateDeviceParams *params,
                             TF_Status *status);
void reference_device_destroy(const SP_Platform *platform, SP_Device *device);

int32_t reference_device_numa_node(const SP_Device *device);
int64_t reference_device_bandwidth(const SP_Device *device);
double reference_device_gflops(const SP_Device *device);

/* Waits for all streams of the device. */
void reference_device_synchronize(const SP_Device *device, TF_Status *status);

#endif
