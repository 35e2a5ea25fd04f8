import { expect, it } from 'vitest'
import { parseEvent } from './parse-event.ts'

const callOf = (context: object) => ({
  field: 'messages',
  value: {
    contacts: [{ wa_id: '97336001234', profile: { name: 'Maryam' } }],
    messages: [
      {
        id: 'wamid.1',
        from: '97336001234',
        timestamp: '1763200000',
        type: 'text',
        text: { body: '4 cartons' },
        context,
      },
    ],
  },
})

it.each([
  ['forwarded', { forwarded: true }, true],
  ['often forwarded', { frequently_forwarded: true }, true],
  ['written', {}, undefined],
])('a message that was %s is marked so', (_, context, isForwarded) => {
  const [event] = parseEvent(callOf(context), new Date())
  expect(event).toMatchObject({ kind: 'message', message: { content: '4 cartons' } })
  expect(event?.kind === 'message' ? event.message.parts.isForwarded : null).toBe(isForwarded)
})

it('a chat that is opened for the first time is a greeting', () => {
  const call = callOf({})
  call.value.messages = call.value.messages.map((message) => ({ ...message, type: 'request_welcome' }))
  const [event] = parseEvent(call, new Date())
  expect(event).toMatchObject({ kind: 'message', message: { type: 'text', content: '👋' } })
})
