import { type ClipboardEvent, type RefObject, useEffect, useRef, useState } from 'react'
import { useT } from '../../../lib/language/i18n.tsx'
import { isTooLarge, MAX_FILES, type OutgoingFile, prepareFile } from './outgoing-files.ts'

/** The files beside the reply: chosen, pasted or dropped on the conversation. */
export function useAttachments(onProblem: (problem: string | null) => void) {
  const t = useT()
  const [files, setFiles] = useState<readonly OutgoingFile[]>([])
  async function add(chosen: readonly File[]) {
    if (chosen.length === 0) return
    const fitting = chosen.filter((file) => !isTooLarge(file))
    onProblem(fitting.length < chosen.length ? t('inbox.attach.large') : null)
    const prepared = await Promise.all(fitting.map((file) => prepareFile(file)))
    setFiles((before) => [...before, ...prepared].slice(0, MAX_FILES))
  }
  return {
    files,
    add,
    remove: (key: string) => setFiles((before) => before.filter((one) => one.key !== key)),
    clear: () => setFiles([]),
    /** Takes pasted files; pasted text stays with the field. */
    onPaste(event: ClipboardEvent) {
      const pasted = [...event.clipboardData.files]
      if (pasted.length === 0) return
      event.preventDefault()
      void add(pasted)
    },
  }
}

/** Takes files dropped anywhere on the conversation; true while some are held over it. */
export function useFileDrop(inside: RefObject<HTMLElement | null>, isOn: boolean, onFiles: (files: File[]) => void) {
  const [isOver, setOver] = useState(false)
  const latest = useRef(onFiles)
  latest.current = onFiles
  useEffect(() => {
    const area = inside.current?.closest('section')
    if (!area || !isOn) return
    const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes('Files') === true
    const over = (event: DragEvent) => {
      if (!hasFiles(event)) return
      event.preventDefault()
      setOver(true)
    }
    const leave = (event: DragEvent) => {
      if (!(event.relatedTarget instanceof Node && area.contains(event.relatedTarget))) setOver(false)
    }
    const drop = (event: DragEvent) => {
      setOver(false)
      if (!hasFiles(event)) return
      event.preventDefault()
      latest.current([...(event.dataTransfer?.files ?? [])])
    }
    area.addEventListener('dragover', over)
    area.addEventListener('dragleave', leave)
    area.addEventListener('drop', drop)
    return () => {
      area.removeEventListener('dragover', over)
      area.removeEventListener('dragleave', leave)
      area.removeEventListener('drop', drop)
    }
  }, [inside, isOn])
  return isOver
}
