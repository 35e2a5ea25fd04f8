/** Saves a file of the browser's memory as a download. */
export function saveFile(name: string, file: Blob) {
  const url = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // The browser has read the file by then; Safari asks the user first.
  setTimeout(() => URL.revokeObjectURL(url), 30_000)
}
