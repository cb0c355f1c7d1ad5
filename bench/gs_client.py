# What bench/gs.lua has Google's own client do: gs_client.py ACTION ARGUMENTS... prints the seconds that the
# action took, without the start of the program.
import sys
import time
from pathlib import Path

from google.auth.credentials import AnonymousCredentials
from google.cloud import storage
from google.cloud.storage import transfer_manager

client = storage.Client(project="bench", credentials=AnonymousCredentials())
bucket = client.bucket("bench")
action, first, *rest = sys.argv[1:]


def get(key):
    assert len(bucket.blob(key).download_as_bytes()) == 64 << 20


def put(file, key, chunk=None):
    blob = bucket.blob(key)
    if chunk:
        blob.chunk_size = int(chunk) << 20
    blob.upload_from_filename(file)


def names_of(folder):
    return [path.name for path in Path(folder).iterdir()]


# Without the marker of a directory.
def blobs_of(prefix):
    found = client.list_blobs(bucket, prefix=prefix + "/")
    return [blob for blob in found if not blob.name.endswith("/")]


def puts_one_by_one(folder, prefix):
    for name in names_of(folder):
        bucket.blob(prefix + "/" + name).upload_from_filename(folder + "/" + name)


def gets_one_by_one(prefix, folder):
    Path(folder).mkdir()
    for blob in blobs_of(prefix):
        blob.download_to_filename(folder + "/" + blob.name.rpartition("/")[2])


THREADS = {"worker_type": transfer_manager.THREAD, "max_workers": 8, "raise_exception": True}


def check(results):
    for result in results:
        if isinstance(result, Exception):
            raise result


def puts(folder, prefix):
    names = names_of(folder)
    check(transfer_manager.upload_many_from_filenames(
        bucket, names, source_directory=folder, blob_name_prefix=prefix + "/", **THREADS))


def gets(prefix, folder):
    Path(folder).mkdir()
    names = [blob.name.rpartition("/")[2] for blob in blobs_of(prefix)]
    check(transfer_manager.download_many_to_path(
        bucket, names, destination_directory=folder, blob_name_prefix=prefix + "/", **THREADS))


start = time.monotonic()
globals()[action](first, *rest)
print(time.monotonic() - start)
