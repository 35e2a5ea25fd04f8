import { bahrainDate, formatDay } from '@qatra/contract/calendar/calendar'
import type { Order } from '@qatra/contract/orders/orders'
import { addressOf } from '../lib/api-client.ts'
import { useLang } from '../lib/language/i18n.tsx'
import { Money } from '../ui/Bidi.tsx'
import { buttonClass } from '../ui/Button.tsx'

interface CreditNotesProps {
  order: Order
  /** Of the endpoint with the papers. */
  path: string
  words: { title: string; note: string; invoice: string }
}

/** Notes that credited deliveries which were taken back, with the invoices that they cancel. */
export function CreditNotes({ order: { id, creditNotes }, path, words }: CreditNotesProps) {
  const lang = useLang()
  if (creditNotes.length === 0) return null
  const paper = (number: string, word: string) => (
    <a
      href={addressOf(path, { params: { id }, query: { lang, number } })}
      download
      className={buttonClass('link', 'normal', '-ms-2')}
    >
      {word} <bdi dir="ltr">{number}</bdi>
    </a>
  )
  return (
    <ul aria-label={words.title} className="no-print mt-2 border-t border-line">
      {creditNotes.map(({ number, amount, at, invoiceNumber }) => (
        <li key={number} className="border-b border-line py-1 last:border-b-0">
          <div className="flex flex-wrap items-center justify-between gap-x-3">
            {paper(number, words.note)}
            <Money bhd={amount} className="font-strong" />
          </div>
          <div className="flex flex-wrap items-center justify-between gap-x-3 text-label text-ink-3">
            {paper(invoiceNumber, words.invoice)}
            <span>{formatDay(bahrainDate(new Date(at)), lang, 'long')}</span>
          </div>
        </li>
      ))}
    </ul>
  )
}
