import { raiseToasts } from './Toast.tsx'

/** For the `ref` of a bar: moves toasts above it while it covers the end of the page. */
export function raisesToasts(bar: HTMLElement | null) {
  if (!bar || getComputedStyle(bar).position !== 'sticky') return
  const watch = new ResizeObserver(() => raiseToasts(`${bar.offsetHeight}px`))
  watch.observe(bar)
  return () => {
    watch.disconnect()
    raiseToasts('0px')
  }
}
