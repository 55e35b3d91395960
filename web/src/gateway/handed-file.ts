const DATABASE = "dragoman.handed-files";
const STORE = "files";

/** The address of the viewer that opens a file which the app has kept for it. */
export const HANDED = "#file";

/** Keeps a file in this browser for the viewer, which opens in another page. The latest one replaces the others. */
export async function handFile(file: File): Promise<void> {
  await inStore("readwrite", (store) => store.put(file, "file"));
}

/** The file that was kept last; undefined if there is none. It stays for a reload of the viewer. */
export async function handedFile(): Promise<File | undefined> {
  const file: unknown = await inStore("readonly", (store) => store.get("file"));
  return file instanceof File ? file : undefined;
}

function inStore<T>(mode: IDBTransactionMode, work: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open(DATABASE, 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore(STORE);
    opening.onerror = () => reject(opening.error);
    opening.onsuccess = () => {
      const database = opening.result;
      const transaction = database.transaction(STORE, mode);
      const request = work(transaction.objectStore(STORE));
      transaction.oncomplete = () => {
        database.close();
        resolve(request.result);
      };
      transaction.onerror = () => {
        database.close();
        reject(transaction.error);
      };
    };
  });
}
