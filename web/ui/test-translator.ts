/** For tests: wraps all texts in two `<font>`, now and after each change, as the translators of browsers do. */
let observer: MutationObserver | null = null

const skipped = new Set(['SCRIPT', 'STYLE', 'TEXTAREA', 'OPTION', 'TITLE', 'FONT'])

/** @param how whether the translator puts a text of its own in place of a text node, or moves the node */
export function translate(how: 'replace' | 'move') {
  const wrap = (node: Node) => {
    const parent = node.parentElement
    if (!parent || skipped.has(parent.tagName) || !/\p{L}/u.test(node.nodeValue ?? '')) return
    const outer = document.createElement('font')
    parent.insertBefore(outer, node)
    const inner = outer.appendChild(document.createElement('font'))
    if (how === 'move') inner.appendChild(node)
    else {
      inner.textContent = node.nodeValue
      node.parentNode?.removeChild(node)
    }
  }
  const all = (root: Node) => {
    if (root.nodeType === Node.TEXT_NODE) return wrap(root)
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
    const nodes: Node[] = []
    while (walker.nextNode()) nodes.push(walker.currentNode)
    nodes.forEach(wrap)
  }
  all(document.body)
  observer = new MutationObserver((changes) => {
    for (const { type, target, addedNodes } of changes) {
      if (type === 'characterData') wrap(target)
      else addedNodes.forEach(all)
    }
  })
  observer.observe(document.body, { childList: true, subtree: true, characterData: true })
}

export function stopTranslating() {
  observer?.disconnect()
  observer = null
}
