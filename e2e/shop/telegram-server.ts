import { createServer } from 'node:http'
import { startTelegram } from '../../server/test/fake-telegram.ts'

/** Telegram for the journeys, in a process of its own: `GET /` tells topics and what was sent, `POST /` is a message. */
const telegram = await startTelegram(Number(process.env['E2E_TELEGRAM_PORT']))
// Counted here, in the order in which they come: several workers write.
let numbers = 1_000

createServer(async (request, response) => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer) // nobody set an encoding
  if (request.method === 'POST') {
    numbers += 1
    const message = JSON.parse(Buffer.concat(chunks).toString())
    telegram.push({ update_id: numbers, message: { message_id: numbers, ...message } })
  }
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ topics: [...telegram.topics], sent: telegram.sent(telegram.groupId) }))
}).listen(Number(process.env['E2E_TELEGRAM_DESK_PORT']), '127.0.0.1')
