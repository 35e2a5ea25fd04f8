const name = 'qatra:shortcuts'

/** Opens the list of keyboard shortcuts, wherever it is asked for. */
export const showShortcuts = () => void window.dispatchEvent(new Event(name))

export function onShowShortcuts(listener: () => void): () => void {
  window.addEventListener(name, listener)
  return () => window.removeEventListener(name, listener)
}
