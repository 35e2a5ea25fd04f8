import { type CustomerDetail, tagCustomer } from '@qatra/contract/users/customers'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'
import { CallError, call } from '../../lib/api-client.ts'
import { useT } from '../../lib/language/i18n.tsx'
import { refusalText } from '../../lib/refusal.ts'
import { ToolbarButton } from '../../ui/admin/ToolbarButton.tsx'
import { CloseIcon } from '../../ui/icons.tsx'
import { cacheCustomer, customerQuery } from './customer-cache.ts'

export function TagMarks({ tags }: { tags: readonly string[] }) {
  return (
    <span className="flex flex-wrap gap-1.5">
      {tags.map((tag) => (
        <bdi key={tag} className="rounded-s bg-well px-2 text-caption text-ink-2">
          {tag}
        </bdi>
      ))}
    </span>
  )
}

/** Tags of a customer; each addition or removal is saved immediately. */
export function Tags({ customer }: { customer: CustomerDetail }) {
  const t = useT()
  const queries = useQueryClient()
  const [typed, setTyped] = useState('')
  const [problem, setProblem] = useState<string | null>(null)

  // Changes show at once and are sent one after the other; each builds on the wanted tags, not on the last answer.
  const wanted = useRef<readonly string[]>(customer.tags)
  const sending = useRef<Promise<void>>(Promise.resolve())

  function save(tags: readonly string[], saved?: () => void) {
    wanted.current = tags
    setProblem(null)
    sending.current = sending.current.then(async () => {
      try {
        const after = await call(tagCustomer, { params: { id: String(customer.id) }, body: { tags: [...tags] } })
        cacheCustomer(queries, after)
        saved?.()
      } catch (error) {
        if (!(error instanceof CallError)) throw error
        wanted.current = queries.getQueryData(customerQuery(customer.id).queryKey)?.tags ?? []
        setProblem(refusalText(t, error, 'customers'))
      }
    })
  }
  const add = (event: FormEvent) => {
    event.preventDefault()
    if (typed.trim() !== '') save([...wanted.current, typed.trim()], () => setTyped(''))
  }
  const remove = (tag: string) => save(wanted.current.filter((each) => each !== tag))
  if (!customer.can.write) return <TagMarks tags={customer.tags} />
  return (
    <>
      <ul className="flex flex-wrap gap-1.5">
        {customer.tags.map((tag) => (
          <li key={tag} className="inline-flex h-8 items-center gap-1 rounded-s bg-well ps-2.5 max-md:h-tap">
            <bdi>{tag}</bdi>
            <button
              type="button"
              aria-label={t('customers.tags.remove', { tag })}
              className="grid size-8 place-items-center rounded-s text-ink-2 hover:bg-well-2 max-md:size-tap"
              onClick={() => remove(tag)}
            >
              <CloseIcon size={14} aria-hidden="true" />
            </button>
          </li>
        ))}
      </ul>
      <form className="mt-2 flex gap-2" onSubmit={add}>
        <input
          dir="auto"
          aria-label={t('customers.tags.new')}
          placeholder={t('customers.tags.new')}
          maxLength={40}
          value={typed}
          aria-invalid={problem ? true : undefined}
          className="h-8.5 min-w-0 flex-1 rounded-[10px] bg-surface px-3 inset-ring inset-ring-line-strong outline-none focus-visible:inset-ring-2 focus-visible:inset-ring-focus max-md:h-tap"
          onChange={(event) => setTyped(event.target.value)}
        />
        <ToolbarButton type="submit">{t('customers.tags.add')}</ToolbarButton>
      </form>
      {problem && (
        <p role="alert" className="mt-2 text-clay">
          {problem}
        </p>
      )}
    </>
  )
}
