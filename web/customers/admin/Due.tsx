import { addDays, formatDay } from '@qatra/contract/calendar/calendar'
import { isolated } from '@qatra/contract/lib/text'
import {
  answerDue,
  type CustomerDetail,
  type DueAnswer,
  dueAnswers,
  listCustomers,
  MOST_QUIET_DAYS,
  quietDays,
} from '@qatra/contract/users/customers'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../lib/api-client.ts'
import { useLanguage } from '../../lib/language/i18n.tsx'
import { refusalText } from '../../lib/refusal.ts'
import { useAction } from '../../lib/use-action.ts'
import { today } from '../../ui/admin/day-words.ts'
import { PanelPart } from '../../ui/admin/SidePanel.tsx'
import { ToolbarButton, toolbarButtonClass } from '../../ui/admin/ToolbarButton.tsx'
import { TextField } from '../../ui/Field.tsx'
import { WhatsAppIcon } from '../../ui/icons.tsx'
import { toast } from '../../ui/Toast.tsx'
import { cacheCustomer } from './customer-cache.ts'
import { useQuestion } from './customer-columns.tsx'

/** When the next order is due, and what the customer said about it. */
export function DuePart({ customer }: { customer: CustomerDetail }) {
  const { t, lang } = useLanguage()
  const question = useQuestion()
  const { dueDate, usualDays, answer } = customer
  if (dueDate === null || usualDays === null) return null
  const isPast = dueDate < today()
  const chat = question(customer)
  const long = (day: string) => formatDay(day, lang, 'long')
  return (
    <PanelPart title={t('customers.due.next')}>
      <p>
        {t('customers.due.habit', { count: usualDays })}{' '}
        <span className={isPast ? 'text-clay' : undefined}>
          {t(isPast ? 'customers.due.was' : 'customers.due.is', { day: long(dueDate) })}
        </span>
      </p>
      {answer && (
        <p className="mt-1 text-ink-2">
          {t('customers.due.answered', {
            answer: t(`customers.due.said.${answer.answer}`),
            by: isolated(answer.by ?? '—'),
            day: long(answer.until),
          })}
        </p>
      )}
      {chat && (
        <a href={chat} target="_blank" rel="noreferrer" className={toolbarButtonClass(false, 'mt-2.5')}>
          <WhatsAppIcon size={16} aria-hidden="true" className="text-ink-3" />
          {t('customers.due.ask')}
        </a>
      )}
      {customer.can.write && <Answers customer={customer} />}
    </PanelPart>
  )
}

function Answers({ customer }: { customer: CustomerDetail }) {
  const { t, lang } = useLanguage()
  const queries = useQueryClient()
  const [until, setUntil] = useState<string | null>(null)
  const { busy, problem, run } = useAction((error) => refusalText(t, error, 'customers'))
  const earliest = addDays(today(), 1)
  const latest = addDays(today(), MOST_QUIET_DAYS)
  const save = (answer: DueAnswer, day = addDays(today(), quietDays[answer])) =>
    run(async () => {
      cacheCustomer(
        queries,
        await call(answerDue, { params: { id: String(customer.id) }, body: { answer, until: day } }),
      )
      void queries.invalidateQueries({ queryKey: [listCustomers.path] })
      setUntil(null)
      toast({ title: t('customers.due.saved', { day: formatDay(day, lang, 'long') }) })
    })
  return (
    <>
      <p className="mt-3.5 text-label font-strong">{t('customers.due.said')}</p>
      <div className="mt-1.5 flex flex-wrap gap-2">
        {dueAnswers.map((answer) => (
          <ToolbarButton
            key={answer}
            aria-expanded={answer === 'travelling' ? until !== null : undefined}
            aria-busy={busy || undefined}
            onClick={() => {
              if (answer === 'travelling') setUntil(until === null ? addDays(today(), quietDays.travelling) : null)
              else if (!busy) void save(answer)
            }}
          >
            {t(`customers.due.say.${answer}`)}
          </ToolbarButton>
        ))}
      </div>
      {until !== null && (
        <form
          className="mt-2 flex items-end gap-2"
          onSubmit={(event) => {
            event.preventDefault()
            if (!busy) void save('travelling', until)
          }}
        >
          <TextField
            className="min-w-0 flex-1"
            label={t('customers.due.until')}
            type="date"
            required
            min={earliest}
            max={latest}
            value={until}
            onChange={({ target }) => setUntil(target.value)}
          />
          <ToolbarButton type="submit" className="h-12" aria-busy={busy || undefined}>
            {t('customers.due.save')}
          </ToolbarButton>
        </form>
      )}
      <p role="alert" className="mt-2 text-clay empty:hidden">
        {problem}
      </p>
    </>
  )
}
