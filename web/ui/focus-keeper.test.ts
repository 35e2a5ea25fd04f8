import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { keepFocus } from './focus-keeper.ts'

let stop: () => void
beforeEach(() => {
  stop = keepFocus()
})
afterEach(() => {
  stop()
  document.body.replaceChildren()
})

function page(html: string) {
  document.body.innerHTML = `<main id="main" tabindex="-1">${html}</main>`
}
const byId = (id: string) => document.getElementById(id) as HTMLElement
const focused = () => document.activeElement?.id

describe('the focus, when the control that had it is gone', () => {
  it('goes to the part of the page it stood in', async () => {
    page('<section id="order"><div><button id="act">Prepare</button></div></section>')
    byId('act').focus()
    byId('act').remove()
    await vi.waitFor(() => expect(focused()).toBe('order'))
    // It is no stop of Tab.
    byId('main').focus()
    expect(byId('order').hasAttribute('tabindex')).toBe(false)
  })

  it('goes to the row that took the place of its row, and to the list around the last one', async () => {
    page(
      '<section id="jobs"><ul><li id="a"><button id="x">Discard</button></li><li id="b"></li><li id="c"></li></ul></section>',
    )
    byId('x').focus()
    byId('a').remove()
    await vi.waitFor(() => expect(focused()).toBe('b'))
    byId('c').remove()
    byId('b').remove()
    await vi.waitFor(() => expect(focused()).toBe('jobs'))
  })

  it('goes back to what opened the dialog or the panel, or to where that stood', async () => {
    page(
      '<section id="list"><button id="open">Open</button></section><aside id="panel"><button id="close">Close</button></aside>',
    )
    byId('open').focus()
    byId('close').focus()
    byId('panel').remove()
    await vi.waitFor(() => expect(focused()).toBe('open'))
    document.body.insertAdjacentHTML('beforeend', '<div id="toast" data-layer><button id="undo">Undo</button></div>')
    byId('undo').focus()
    byId('open').remove()
    byId('toast').remove()
    await vi.waitFor(() => expect(focused()).toBe('list'))
  })

  it('goes where that part of the page says', async () => {
    page(
      '<p id="row" tabindex="-1"></p><section id="bar" data-focus-after="#row"><button id="clear">Clear</button></section>',
    )
    byId('clear').focus()
    byId('bar').remove()
    await vi.waitFor(() => expect(focused()).toBe('row'))
  })

  it('goes to the page where nothing else is left', async () => {
    page('<div><button id="save">Save</button></div>')
    const save = byId('save') as HTMLButtonElement
    save.focus()
    save.parentElement?.remove()
    await vi.waitFor(() => expect(focused()).toBe('main'))
  })

  it('stays away where a person took it away', async () => {
    page('<button id="save">Save</button>')
    byId('save').focus()
    byId('save').blur()
    await new Promise((done) => setTimeout(done, 10))
    byId('save').remove()
    await new Promise((done) => setTimeout(done, 10))
    expect(document.activeElement).toBe(document.body)
  })
})
