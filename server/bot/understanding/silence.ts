import type { Evidence } from './evidence.ts'
import { is } from './tags.ts'

const messageWord = /^(?:رسا|مسج|messag|msg|text)/
const oneMessage = /^(?:رساله|مسج|msg|message)$/

/** `no msg`, `ولا رسالة`: none came, or none is wanted. */
export const lacksMessage = ({ tags }: Evidence) =>
  tags.some((tag, i) => is(tag, 'ads') && messageWord.test(tag.text) && is(tags[i - 1], 'no', 'not'))

/** `no call`, `محد رد` */
const unanswered =
  /(?:^| )(?:no|nobody|no one|never|didnt|ma7?ad|m7ad|ma|ما|محد|و?لا|ماكو) (?:calls?|called|phone|reply|replied|response|answer|answered|update|اتصالا?ت?|مكالمه|اتصل|رد|يرد|يتصل|تلفون|etsal|rad|yrd)(?= |$)/

/** May mean that nobody wrote or called, or that nobody should: the customer is asked. */
export const mayLackMessage = (e: Evidence) =>
  lacksMessage(e) &&
  !e.any('stop', 'unsubscribe') &&
  !e.denied('send') &&
  (e.tags.some(({ text }) => oneMessage.test(text)) || unanswered.test(e.tags.map(({ text }) => text).join(' ')))
