import { describe, expect, it } from 'vitest'
import { parseEvent } from '../webhooks/parse-event.ts'
import { eventsOf } from '../webhooks/split-events.ts'
import { callOfMessage } from './calls.ts'

const jid = '97336000006@s.whatsapp.net'
/** What the webhook makes of a message of the library. */
function meaningOf(message: Record<string, unknown>, fromMe = false) {
  const call = callOfMessage({
    key: { id: '3EB0A1', remoteJid: jid, fromMe },
    messageTimestamp: 1_795_251_222,
    message,
  })
  const [event] = call ? eventsOf(Buffer.from(JSON.stringify(call))) : []
  return event ? parseEvent(JSON.parse(event.rawPayload), new Date())[0] : null
}

describe('a message of the linked device', () => {
  it('with a picture names where the file is and its key', () => {
    const imageMessage = {
      mimetype: 'image/jpeg',
      caption: 'broken',
      directPath: `/o1/v/t62.7118-24/${'f'.repeat(200)}?ccb=9-4`,
      mediaKey: new Uint8Array(32).fill(7),
    }
    expect(meaningOf({ imageMessage })).toMatchObject({
      kind: 'message',
      message: { type: 'image', content: 'broken', parts: { mediaId: expect.stringMatching(/^web\.[\w-]{300,}$/) } },
    })
  })

  it('that was deleted or edited is the change of the original', () => {
    const key = { id: '3EB0A0', remoteJid: jid, fromMe: false }
    expect(meaningOf({ protocolMessage: { key, type: 0 } })).toMatchObject({
      kind: 'change',
      change: { originalId: 'web.3EB0A0', content: null, direction: 'incoming', customer: { phone: '+97336000006' } },
    })
    const edited = { key, type: 14, editedMessage: { conversation: '5 cartons' } }
    expect(meaningOf({ protocolMessage: edited })).toMatchObject({
      kind: 'change',
      change: { originalId: 'web.3EB0A0', content: '5 cartons' },
    })
    expect(meaningOf({ protocolMessage: { type: 5, key } })).toBeNull()
  })

  it('that the shop’s phone deleted or edited is the change of its own message', () => {
    const key = { id: '3EB0A0', remoteJid: jid, fromMe: true }
    const change = { originalId: 'web.3EB0A0', direction: 'outgoing', customer: { phone: '+97336000006' } }
    expect(meaningOf({ protocolMessage: { key, type: 0 } }, true)).toMatchObject({
      kind: 'change',
      change: { ...change, content: null },
    })
    const edited = { key, type: 14, editedMessage: { conversation: 'at 5' } }
    expect(meaningOf({ protocolMessage: edited }, true)).toMatchObject({
      kind: 'change',
      change: { ...change, content: 'at 5' },
    })
  })
})
