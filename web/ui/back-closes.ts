/**
 * Open layers (cart, sheet, dialog, a later step of a form) close by Back. Opening one adds an entry with the same address
 * to the history. Closing it otherwise leaves the entry, since removing it is asynchronous and would race with a
 * navigation: the next layer uses it, and Back passes over it.
 */
const layers: { close(): void }[] = []

/** How many layers the current entry stands for, and the router's key of its page. */
function present(): { depth: number; key: unknown } {
  const { layers: depth, __TSR_key: key }: { layers?: unknown; __TSR_key?: unknown } = history.state ?? {}
  return { depth: typeof depth === 'number' ? depth : 0, key }
}

/** The entry shown last, as far as this module saw it. */
let shown: ReturnType<typeof present> | null = null

function follow() {
  const before = shown
  shown = present()
  const { depth, key } = shown
  if (layers.length > depth) for (const layer of layers.splice(depth).reverse()) layer.close()
  else if (before && before.key === key && before.depth > depth) history.back()
}

/**
 * Lets Back close the layer that has just opened.
 * @returns the function for when it is closed, whatever closed it
 */
export function openLayer(close: () => void): () => void {
  if (!shown) window.addEventListener('popstate', follow)
  const layer = { close }
  layers.push(layer)
  // The prototype's method: the router patches that of `history` and would take this for a navigation.
  if (present().depth < layers.length)
    History.prototype.pushState.call(history, { ...history.state, layers: layers.length }, '')
  shown = present()
  return () => {
    const at = layers.indexOf(layer)
    if (at >= 0) layers.splice(at, 1)
  }
}

const LONGEST_MS = 500

/** Before the page is replaced by another: leaves the entries of its layers, so that Back does not show it again. */
export async function leaveLayers(): Promise<void> {
  const { depth, key } = present()
  if (depth === 0) return
  shown = { depth: 0, key }
  await new Promise<void>((resolve) => {
    window.addEventListener('popstate', () => resolve(), { once: true })
    // A restored tab may have lost them.
    setTimeout(resolve, LONGEST_MS)
    history.go(-depth)
  })
}
