import { describe, expect, it } from 'vitest'
import { navigationTo, searchFor, telephone, whatsapp } from './run-links.ts'

describe('links of a stop', () => {
  it('open the coordinates, latitude first', () => {
    const { google, waze, other } = navigationTo({ lat: 26.2378, lng: 50.5402 })
    expect(new URL(google).searchParams.get('destination')).toBe('26.237800,50.540200')
    expect(new URL(waze).searchParams.get('ll')).toBe('26.237800,50.540200')
    expect(other).toBe('geo:26.237800,50.540200?q=26.237800,50.540200')
  })
  it('search for the written address', () => {
    const { searchParams } = new URL(searchFor('السيف، مجمع 428 & طريق 2831'))
    expect(searchParams.get('query')).toBe('السيف، مجمع 428 & طريق 2831, Bahrain')
  })
  it('open a call and a chat', () => {
    expect(telephone('+97336000006')).toBe('tel:+97336000006')
    expect(whatsapp('+97336000006')).toBe('https://wa.me/97336000006')
  })
})
