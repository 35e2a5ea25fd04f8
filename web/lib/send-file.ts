import type { AnyEndpoint, Output } from '@qatra/contract/endpoint'
import { addressOf, CallError, refusedBy, requireEndedSignOut } from './api-client.ts'

export interface Sending {
  file: File
  /** Name of the form field. */
  field?: string
  query?: Record<string, string>
  /** Sent as JSON beside the file. */
  plan?: object
  /** Share of the uploaded bytes, from 0 to 1. */
  onProgress?(sent: number): void
}

/**
 * Uploads a file as a form. Uses XMLHttpRequest, because only it reports the progress. @throws CallError as `call` does
 */
export async function sendFile<E extends AnyEndpoint>(endpoint: E, sending: Sending): Promise<Output<E>> {
  const { file, field = 'file', query, plan, onProgress } = sending
  await requireEndedSignOut()
  const form = new FormData()
  form.set(field, file)
  if (plan) form.set('plan', JSON.stringify(plan))
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open(endpoint.method, addressOf(endpoint.path, { query }))
    request.setRequestHeader('accept', 'application/json')
    request.upload.onprogress = ({ loaded, total }) => onProgress?.(total > 0 ? loaded / total : 0)
    request.upload.onload = () => onProgress?.(1)
    request.onerror = () => reject(new CallError(0, ''))
    request.onabort = () => reject(new CallError(0, ''))
    request.onload = () => {
      const { status, responseText } = request
      if (status < 200 || status > 299)
        return reject(refusedBy(status, responseText, request.getResponseHeader('retry-after')))
      try {
        // Both sides are tested against the contract; the browser does not validate answers again.
        resolve(JSON.parse(responseText) as Output<E>)
      } catch {
        reject(new CallError(status, responseText))
      }
    }
    request.send(form)
  })
}
