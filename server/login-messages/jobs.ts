import { isLoginMessage } from '../auth/message-login.ts'
import { messagesThat } from '../conversations/incoming.commands.ts'
import { runJobTransaction } from '../database/transaction.ts'
import type { App } from '../http/runtime.ts'
import { answerLoginMessage } from './replies.commands.ts'

export function loginMessageJobs(app: App) {
  app.queue.handle<{ messageId: number }>(
    'message-login',
    {
      on: ['message.received'],
      filter: messagesThat(isLoginMessage),
      isUrgent: true,
      retryLimit: 3,
      retryDelay: 2,
      expireInSeconds: 30,
    },
    ({ data }) => runJobTransaction(app.pool, (ctx) => answerLoginMessage(ctx, app, data.messageId)),
  )
}
