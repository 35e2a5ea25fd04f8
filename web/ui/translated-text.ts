/**
 * Keeps React's text nodes usable on a page that the browser translates. Translators take a text node out and put a
 * `<font>` in its place, or move it into one. React keeps the node: it would remove it, or insert beside it, where it no
 * longer is, which throws and ends the page (facebook/react#11538), and a new text in it would not be seen. So a text node
 * returns to its place before React uses it, and whenever its text changes; the translator then translates it again.
 */
const standIns = new WeakMap<Node, ChildNode>()
let isOn = false

const isFont = (node: Node | null): node is ChildNode => node?.nodeName === 'FONT'

/** The translator's element in `parent` for the text node, which may be in it. */
function standInOf(text: Node, parent: Node | null): ChildNode | null {
  let inside: Node | null = text
  while (inside?.parentNode && inside.parentNode !== parent) inside = inside.parentNode
  if (inside !== text && inside?.parentNode === parent && isFont(inside)) return inside
  return standIns.get(text) ?? null
}

function putBack(node: Node, parent: Node | null) {
  if (node.nodeType !== Node.TEXT_NODE || (parent && node.parentNode === parent)) return
  const standIn = standInOf(node, parent)
  standIns.delete(node)
  if (standIn?.parentNode && (!parent || standIn.parentNode === parent)) standIn.parentNode.replaceChild(node, standIn)
}

/** Follows the translator from now on. */
export function keepTextNodes() {
  if (isOn) return
  isOn = true
  const { insertBefore, removeChild } = Node.prototype
  Node.prototype.removeChild = function <T extends Node>(this: Node, child: T): T {
    putBack(child, this)
    // The place of a text that was taken out before this began is not known.
    const isLost = child.nodeType === Node.TEXT_NODE && child.parentNode !== this
    if (!isLost) removeChild.call(this, child)
    return child
  }
  Node.prototype.insertBefore = function <T extends Node>(this: Node, node: T, before: Node | null): T {
    if (before) putBack(before, this)
    const isLost = before?.nodeType === Node.TEXT_NODE && before.parentNode !== this
    insertBefore.call(this, node, isLost ? null : before)
    return node
  }
  const observer = new MutationObserver((changes) => {
    for (const { type, target, removedNodes, addedNodes, previousSibling, nextSibling } of changes) {
      if (type === 'characterData') {
        if (!target.isConnected) putBack(target, null)
        continue
      }
      for (const text of removedNodes) {
        if (text.nodeType !== Node.TEXT_NODE || text.isConnected) continue
        const standIn = [...addedNodes, previousSibling, nextSibling].find(isFont)
        if (!standIn) continue
        standIns.set(text, standIn)
        observer.observe(text, { characterData: true })
      }
    }
  })
  observer.observe(document.documentElement, { childList: true, subtree: true })
}
