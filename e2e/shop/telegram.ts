import { expect } from '@playwright/test'
import { outside, telegramBot } from '../settings.ts'

interface Desk {
  topics: [id: number, name: string][]
  sent: { text: string; threadId: number | null }[]
}

const desk = `http://127.0.0.1:${outside.telegramDeskPort}/`

async function look(): Promise<Desk> {
  const answer = await fetch(desk)
  return (await answer.json()) as Desk // of telegram-server.ts
}

/** Somebody writes: to the bot, or in a topic of the staff's group. */
export async function writeOnTelegram(
  fromId: number,
  text: string,
  threadId?: number,
  username?: string,
): Promise<void> {
  const chat = threadId
    ? { id: Number(telegramBot.groupId), type: 'supergroup', is_forum: true, title: 'Qatra' }
    : { id: fromId, type: 'private', first_name: 'Sara' }
  const message = {
    ...{ date: Math.floor(Date.now() / 1000), chat, text },
    from: { id: fromId, is_bot: false, first_name: 'Sara', ...(username ? { username } : {}) },
    ...(threadId ? { message_thread_id: threadId, is_topic_message: true } : {}),
  }
  await fetch(desk, { method: 'POST', body: JSON.stringify(message) })
}

/** The topic of a customer's conversation, once these words stand in it. */
export async function topicOf(phone: string, words: string): Promise<number> {
  let found = 0
  await expect
    .poll(
      async () => {
        const { topics, sent } = await look()
        found = topics.find(([, name]) => name.includes(phone))?.[0] ?? 0
        return sent.some(({ text, threadId }) => threadId === found && text.includes(words))
      },
      { message: `a topic of ${phone} with ${words}`, timeout: 20_000 },
    )
    .toBe(true)
  return found
}
