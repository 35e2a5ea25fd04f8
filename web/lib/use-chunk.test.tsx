import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { useChunk } from './use-chunk.ts'

const Notice = () => createElement('p', null, 'notice')
const load = () => Promise.resolve(Notice)

function Page({ need }: { need: boolean }) {
  const Loaded = useChunk(load, { need, loaded: Notice })
  return Loaded && createElement(Loaded)
}

describe('a chunk that another request has loaded', () => {
  it('is rendered by the server only where it is needed', () => {
    expect(renderToString(createElement(Page, { need: true }))).toBe('<p>notice</p>')
    expect(renderToString(createElement(Page, { need: false }))).toBe('')
  })
})
