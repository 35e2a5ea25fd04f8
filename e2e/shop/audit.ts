import AxeBuilder from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

const standard = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/**
 * Waits until no finite animation runs, none has begun in the next two frames, and the browser has nothing left to do:
 * parts of the page that hydrate later compare their text with the server's.
 */
async function settled(page: Page) {
  await page.evaluate(async () => {
    const running = () =>
      document
        .getAnimations()
        .filter(
          ({ effect, playState }) => playState === 'running' && effect?.getComputedTiming().iterations !== Infinity,
        )
    const frame = () => new Promise((done) => requestAnimationFrame(done))
    await document.fonts.ready
    do {
      await Promise.allSettled(running().map((one) => one.finished))
      await frame()
      await frame()
    } while (running().length > 0)
    const idle = () => new Promise((done) => requestIdleCallback(done))
    await idle()
    await idle()
  })
}

async function violationsOf(page: Page) {
  // The other kinds of result take much of the time.
  const builder = new AxeBuilder({ page }).options({ runOnly: standard, resultTypes: ['violations'] })
  // Legacy mode reads the page's own frame alone, and opens no further page to collect results: there are no frames.
  const { violations } = await builder.setLegacyMode().analyze()
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, any }) => `${id}: ${target.join(' ')} (${any[0]?.message ?? ''})`),
  )
}

/** Replaces Arabic letters by Latin ones, in names as in the text, so that both still match. */
const swapLetters = (page: Page) =>
  page.evaluate(() => {
    const swap = (text: string) => text.replace(/[\u0600-\u06ff]/g, 'n')
    const walker = document.createTreeWalker(document.documentElement, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT)
    for (let node: Node | null = walker.currentNode; node; node = walker.nextNode()) {
      if (node.nodeValue) node.nodeValue = swap(node.nodeValue)
      if (!(node instanceof Element)) continue
      for (const name of ['aria-label', 'alt', 'title', 'placeholder']) {
        const value = node.getAttribute(name)
        if (value) node.setAttribute(name, swap(value))
      }
    }
  })

/** Target size: `px` high and wide, or 24 px for links inside text (WCAG 2.5.8). */
const smallTargets = (page: Page, px: number) =>
  page.evaluate((px) => {
    const least = px - 0.5
    const isInline = (element: Element) =>
      element.matches('a') && getComputedStyle(element).display === 'inline' && element.closest('p, li, dd') !== null
    const hitArea = (element: Element) => {
      // A label activates its control; `::after` may extend the box.
      const box = (element.closest('label') ?? element).getBoundingClientRect()
      const after = getComputedStyle(element, '::after')
      const grow = (side: string) => (after.content === 'none' ? 0 : Math.max(0, -Number.parseFloat(side) || 0))
      return {
        width: box.width + grow(after.left) + grow(after.right),
        height: box.height + grow(after.top) + grow(after.bottom),
      }
    }
    return [...document.querySelectorAll('a, button, input, textarea, select, summary, [role=option]')]
      .filter((element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
      .filter((element) => !element.closest('.sr-only') && !isInline(element))
      .map((element) => ({ element, ...hitArea(element) }))
      .filter(({ width, height }) => width > 1 && height > 1 && (width < least || height < least))
      .map(({ element, width, height }) => {
        const name = element.getAttribute('aria-label') ?? element.textContent?.trim().slice(0, 40)
        return `${element.tagName} "${name}" ${Math.round(width)}×${Math.round(height)}`
      })
  }, px)

/** Texts with a point between two parts at the start or the end of its line. */
const hangingPoints = (page: Page) =>
  page.evaluate(() => {
    interface Letter {
      letter: string
      middle: number
    }
    const blockOf = (node: Node) => {
      let block = node.parentElement
      while (block && getComputedStyle(block).display.startsWith('inline')) block = block.parentElement
      return block ?? document.body
    }
    const textsIn = (root: Node) => {
      const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
      const texts: Text[] = []
      while (walker.nextNode()) if (walker.currentNode instanceof Text) texts.push(walker.currentNode)
      return texts
    }
    const lettersOf = (text: Text) =>
      [...text.data].flatMap((letter, at): Letter[] => {
        const range = document.createRange()
        range.setStart(text, at)
        range.setEnd(text, at + 1)
        const { top, bottom, width } = range.getBoundingClientRect()
        return letter.trim() && width > 0 ? [{ letter, middle: (top + bottom) / 2 }] : []
      })
    const blocks = new Set(
      textsIn(document.body)
        .filter(({ data, parentElement }) => data.includes('·') && !parentElement?.closest('.sr-only, script, style'))
        .map(blockOf),
    )
    return [...blocks].flatMap((block) => {
      const letters = textsIn(block).flatMap(lettersOf)
      const isAlone = ({ letter, middle }: Letter, at: number) =>
        letter === '·' && [at - 1, at + 1].some((next) => Math.abs((letters[next]?.middle ?? -99) - middle) > 8)
      return letters.some(isAlone) ? [block.textContent.trim().slice(0, 60)] : []
    })
  })

/** Pixels by which the page is wider than its screen. */
const excess = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

/**
 * Audits a page against WCAG 2.2 AA, including contrast of Arabic text, target size (44 px; 24 px in the admin area)
 * horizontal overflow and hanging points.
 */
export async function audit(page: Page, state: string, { least = 44 } = {}) {
  await settled(page)
  const targets = await smallTargets(page, least)
  const widerBy = await excess(page)
  const hanging = await hangingPoints(page)
  // Axe skips text in scripts it does not know, so that it would not measure the contrast of Arabic.
  await swapLetters(page)
  const found = await violationsOf(page)
  const problems = { found, targets, widerBy, hanging }
  expect.soft(problems, state).toEqual({ found: [], targets: [], widerBy: 0, hanging: [] })
}
