import type { Output } from '@qatra/contract/endpoint'
import { linkTelegram } from '@qatra/contract/telegram'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useT } from '../../app/i18n.tsx'
import { CallError, call } from '../../lib/api-client.ts'
import { telegramStatus } from './status.ts'

export type LinkCode = Output<typeof linkTelegram>

/** Requests a code for the user; the previous code becomes invalid. */
export function useRequestCode(onCode: (code: LinkCode) => void) {
  const t = useT()
  const queries = useQueryClient()
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  async function requestCode() {
    setBusy(true)
    setProblem(null)
    try {
      onCode(await call(linkTelegram, {}))
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      if (error.code === 'TELEGRAM_OFF') void queries.invalidateQueries({ queryKey: telegramStatus().queryKey })
      else setProblem(problemOf(error))
    } finally {
      setBusy(false)
    }
  }
  const problemOf = ({ code }: CallError) => {
    if (code === 'IMPERSONATING') return t('telegramPage.others')
    return t(code === 'OFFLINE' ? 'telegramPage.offline' : 'telegramPage.failed')
  }
  return { requestCode, busy, problem }
}
