const counted = /^\(\d+\+?\) /

/** Prefixes the document title with a count and keeps it when the title changes; 0 removes it. */
export function countInTitle(count: number, most: number): () => void {
  const mark = count >= most ? `(${most - 1}+) ` : `(${count}) `
  function write() {
    const bare = document.title.replace(counted, '')
    const wanted = count > 0 ? mark + bare : bare
    if (document.title !== wanted) document.title = wanted
  }
  write()
  const title = document.querySelector('title')
  if (!title || count === 0) return () => {}
  const observer = new MutationObserver(write)
  observer.observe(title, { childList: true, characterData: true, subtree: true })
  return () => observer.disconnect()
}
