import { useEffect, useRef, useState } from 'react'
import { useT } from '../../../lib/language/i18n.tsx'
import { ToolbarButton } from '../../../ui/admin/ToolbarButton.tsx'
import { TextArea } from '../../../ui/Field.tsx'
import { PlusIcon } from '../../../ui/icons.tsx'
import type { OrderActions } from '../use-order-actions.ts'

/** Internal note. Keeps unsaved text. */
export function NoteTool({ actions }: { actions: OrderActions }) {
  const t = useT()
  const [text, setText] = useState<string | null>(null)
  const field = useRef<HTMLTextAreaElement>(null)
  const isOpen = text !== null
  useEffect(() => {
    if (isOpen) field.current?.focus()
  }, [isOpen])
  if (text === null) {
    return (
      <div>
        <ToolbarButton icon={PlusIcon} onClick={() => setText('')}>
          {t('desk.tool.note')}
        </ToolbarButton>
      </div>
    )
  }
  return (
    <form
      className="grid gap-2"
      onSubmit={(event) => {
        event.preventDefault()
        if (text.trim() !== '') void actions.note(text.trim()).then((isSaved) => isSaved && setText(null))
      }}
    >
      <TextArea
        ref={field}
        label={t('desk.note.label')}
        rows={3}
        maxLength={1000}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <div className="flex gap-2">
        <ToolbarButton type="submit" chosen aria-busy={actions.busy === 'note' || undefined}>
          {t('desk.note.save')}
        </ToolbarButton>
        <ToolbarButton onClick={() => setText(null)}>{t('admin.cancel')}</ToolbarButton>
      </div>
    </form>
  )
}
