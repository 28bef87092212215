// OpenTelemetry's spans as JSON, as an exporter posts them.
import { context } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { JsonTraceSerializer } from '@opentelemetry/otlp-transformer';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { AGENT } from './scenario.mjs';

context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());

export function tracing(seed) {
  const exporter = new InMemorySpanExporter();
  let spans = 0;
  let traces = 0;
  const hex = (number, digits) => number.toString(16).padStart(digits, '0');
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({ 'service.name': `${AGENT}-service` }),
    spanProcessors: [new SimpleSpanProcessor(exporter)],
    // Ids that a second recording repeats.
    idGenerator: {
      generateTraceId: () => hex(seed, 8) + hex(0xa1 + traces++, 24),
      generateSpanId: () => hex(seed, 8) + hex(0xb1 + spans++, 8),
    },
  });
  return { tracer: provider.getTracer('ai'), provider, exporter };
}

export function asJson(exporter) {
  const spans = exporter.getFinishedSpans();
  return JSON.parse(new TextDecoder().decode(JsonTraceSerializer.serializeRequest(spans)));
}
