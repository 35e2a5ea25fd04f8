const counted = /^\(\d+\+?\) /

/** Keeps a number before the page's title, whatever the title becomes; 0 takes it away. */
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
