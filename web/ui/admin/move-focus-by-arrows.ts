/** Key handler of a list: the arrow keys move the focus between its controls. */
export function moveFocusByArrows(event: { key: string; currentTarget: HTMLElement; preventDefault(): void }) {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (!step) return
  const all = [...event.currentTarget.querySelectorAll<HTMLElement>('button, input, a')]
  const at = all.indexOf(document.activeElement as HTMLElement) // anything else gives -1
  event.preventDefault()
  all[(at + step + all.length) % all.length]?.focus()
}
