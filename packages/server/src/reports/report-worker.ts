import { parentPort, workerData } from 'node:worker_threads'
import { printReportPdf } from './print-pdf.ts'
import type { Report } from './report.ts'

// Entry point of the thread that prints a report as PDF: sends the bytes and ends.

parentPort?.postMessage(await printReportPdf(workerData as Report))
