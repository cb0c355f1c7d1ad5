#include "device.h"

#include <stdio.h>
#include <stdlib.h>

#include "configuration.h"
#include "error.h"
#include "log.h"
#include "memory.h"
#include "process.h"
#include "speed.h"
#include "stream.h"

static reference_device devices[REFERENCE_MOST_DEVICES];

void reference_device_count(const SP_Platform *platform, int *count, TF_Status *status) {
  (void)platform;
  (void)status;
  *count = (int)reference_configuration_get()->devices;
}

void reference_device_create(const SP_Platform *platform, SE_CreateDeviceParams *params,
                             TF_Status *status) {
  const int ordinal = params->ordinal;
  SP_Device *device = params->device;
  (void)platform;
  if (ordinal < 0 || (uint64_t)ordinal >= reference_configuration_get()->devices) {
    reference_error_report(REFERENCE_NO_DEVICE, status);
    return;
  }
  reference_lock();
  reference_device *made = &devices[ordinal];
  if (made->users++ == 0) {
    made->ordinal = ordinal;
    made->stats = (SP_AllocatorStats){0};
    snprintf(made->bus, sizeof made->bus, "reference:%d", ordinal);
  }
  reference_unlock();
  device->struct_size = SP_DEVICE_STRUCT_SIZE;
  device->ordinal = ordinal;
  device->device_handle = &devices[ordinal];
  device->hardware_name = "reference device";
  device->device_vendor = "modfs authors";
  device->pci_bus_id = devices[ordinal].bus;
}

void reference_device_destroy(const SP_Platform *platform, SP_Device *device) {
  reference_device *it = reference_device_of(device);
  (void)platform;
  if (!it) return;
  reference_lock();
  bool last = --it->users == 0;
  reference_unlock();
  device->device_handle = NULL;
  size_t left = last ? reference_memory_free_all(it) : 0;
  if (left)
    reference_log(TF_WARNING, "%zu allocations were not freed before their device was destroyed",
                  left);
}

int32_t reference_device_numa_node(const SP_Device *device) {
  (void)device;
  return 0;
}

int64_t reference_device_bandwidth(const SP_Device *device) {
  const uint64_t asked = reference_configuration_get()->bandwidth;
  (void)device;
  return asked ? (int64_t)asked : reference_speed_bandwidth();
}

double reference_device_gflops(const SP_Device *device) {
  (void)device;
  return reference_speed_gflops();
}

/* Waiting for all --------------------------------------------------------------------- */

typedef struct point {
  SP_Stream stream; /* referenced */
  uint64_t number;
} point;

/* Streams of another process are skipped: nobody can wait for them. */
static bool is_waited_for(SP_Stream stream) {
  return stream->epoch == reference_process_epoch() &&
         !reference_stream_has_done(stream, reference_stream_enqueued(stream));
}

/* Under the lock: the points of all streams; NULL without memory. Owns: the caller frees it. */
static point *list_points(const reference_device *device, size_t *count) {
  size_t streams = 0;
  for (SP_Stream at = device->streams; at; at = at->next)
    streams++;
  point *points = malloc((streams + 1) * sizeof *points);
  *count = 0;
  for (SP_Stream at = device->streams; points && at; at = at->next)
    if (is_waited_for(at))
      points[(*count)++] = (point){reference_stream_hold(at), reference_stream_enqueued(at)};
  return points;
}

void reference_device_synchronize(const SP_Device *device, TF_Status *status) {
  size_t count;
  reference_lock();
  point *points = list_points(reference_device_of(device), &count);
  reference_unlock();
  if (!points) {
    reference_error_report(REFERENCE_NO_MEMORY, status);
    return;
  }
  reference_error error = REFERENCE_OK;
  for (size_t i = 0; i < count; i++) {
    if (!error) error = reference_stream_wait(points[i].stream, points[i].number);
    reference_stream_drop(points[i].stream);
  }
  free(points);
  reference_error_report(error, status);
}
