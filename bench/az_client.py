"""What bench/az.lua has Microsoft's own client do, in a process of its own:
az_client.py THREADS get BLOB | put FILE BLOB | up FOLDER PREFIX | down PREFIX FOLDER | list PREFIX"""
import concurrent.futures
import os
import sys

from azure.storage.blob import ContainerClient

threads = int(sys.argv[1])
container = ContainerClient.from_connection_string(
    os.environ["AZURE_STORAGE_CONNECTION_STRING"], "bench")


def each(work, items):
    if threads == 1:
        for item in items:
            work(item)
    else:
        with concurrent.futures.ThreadPoolExecutor(threads) as pool:
            list(pool.map(work, items))


def get(name):
    with open(os.devnull, "wb") as out:
        container.download_blob(name, max_concurrency=threads).readinto(out)


def put(file, name):
    with open(file, "rb") as content:
        container.upload_blob(name, content, overwrite=True, max_concurrency=threads)


def up(folder, prefix):
    def one(name):
        with open(os.path.join(folder, name), "rb") as content:
            container.upload_blob(prefix + "/" + name, content, overwrite=True)
    each(one, os.listdir(folder))


def down(prefix, folder):
    os.makedirs(folder)

    def one(name):
        with open(os.path.join(folder, name.rsplit("/", 1)[1]), "wb") as out:
            container.download_blob(name).readinto(out)
    names = [blob.name for blob in container.list_blobs(prefix + "/")]
    each(one, [name for name in names if not name.endswith("/")])


def list_all(prefix):
    print(sum(1 for _ in container.list_blobs(prefix + "/")))


{"get": get, "put": put, "up": up, "down": down, "list": list_all}[sys.argv[2]](*sys.argv[3:])
