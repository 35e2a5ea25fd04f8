import { act, cleanup, render, screen } from '@testing-library/react'
import { type ReactNode, useState } from 'react'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { stopTranslating, translate } from './test-translator.ts'
import { keepTextNodes } from './translated-text.ts'

beforeAll(keepTextNodes)
afterEach(() => {
  stopTranslating()
  cleanup()
})

/** One step after the other on a translated page; the text after each. */
async function texts(how: Parameters<typeof translate>[0], steps: readonly ReactNode[]) {
  let show: (step: ReactNode) => void = () => undefined
  function Steps() {
    const [step, setStep] = useState<ReactNode>(steps[0])
    show = setStep
    return <main>{step}</main>
  }
  render(<Steps />)
  translate(how)
  const found: (string | null)[] = []
  for (const step of steps) {
    await act(async () => show(step))
    // The observers of page and translator run after the change.
    await act(async () => {})
    found.push(screen.getByRole('main').textContent)
  }
  return found
}

describe.each(['replace', 'move'] as const)('on a page whose texts a translator wraps (%s)', (how) => {
  it.each<[name: string, steps: ReactNode[], expected: string[]]>([
    [
      'a text that an element replaces',
      [<p key="p">a{'one'}</p>, <p key="p">a{<b>two</b>}</p>, <p key="p">a{'three'}</p>],
      ['aone', 'atwo', 'athree'],
    ],
    [
      'an element inserted before a text',
      [<p key="p">{false}last</p>, <p key="p">{<i>first </i>}last</p>, <p key="p">{false}last</p>],
      ['last', 'first last', 'last'],
    ],
    [
      'a text that changes beside an element',
      [
        <p key="p">
          <i /> {'send'}
        </p>,
        <p key="p">
          <i /> {'sending'}
        </p>,
      ],
      [' send', ' sending'],
    ],
    ['a text that goes and returns', [<p key="p">a{' · '}b</p>, <p key="p">a{null}b</p>], ['a · b', 'ab']],
    ['a text alone in its element', [<p key="p">one</p>, <p key="p">two</p>], ['one', 'two']],
    ['a text of its own', ['one', null, <b key="b">two</b>, 'three'], ['one', '', 'two', 'three']],
  ])('%s', async (_, steps, expected) => {
    expect(await texts(how, steps)).toEqual(expected)
  })
})

it('a text that was taken out before the page followed the translator is removed without an error', () => {
  const [parent, text] = [document.createElement('p'), document.createTextNode('text')]
  expect(parent.removeChild(text)).toBe(text)
  expect(parent.insertBefore(document.createElement('b'), text).parentNode).toBe(parent)
  expect(() => parent.removeChild(document.createElement('i'))).toThrow()
})
