{{/*
The secrets that are mounted as files: {file, secret, key}. A secret set in the values is in the chart's own Secret, which
ownSecret names. Takes {root, ownSecret}.
*/}}
{{- define "fieldstone.secretFiles" -}}
{{- $values := .root.Values }}
{{- $own := .ownSecret }}
{{- range $one := list
  (dict "file" "DATABASE_URL" "given" $values.database.url "ref" $values.database.secret "needed" true "path" "database.url")
  (dict "file" "S3_ACCESS_KEY" "given" $values.s3.accessKey.value "ref" $values.s3.accessKey.secret "needed" true "path" "s3.accessKey.value")
  (dict "file" "S3_SECRET_KEY" "given" $values.s3.secretKey.value "ref" $values.s3.secretKey.secret "needed" true "path" "s3.secretKey.value")
  (dict "file" "FIELDSTONE_SECRET_KEY" "given" $values.secretKey.value "ref" $values.secretKey.secret "needed" true "path" "secretKey.value")
  (dict "file" "BACKUP_S3_ACCESS_KEY" "given" $values.backup.accessKey.value "ref" $values.backup.accessKey.secret "needed" false "path" "backup.accessKey.value")
  (dict "file" "BACKUP_S3_SECRET_KEY" "given" $values.backup.secretKey.value "ref" $values.backup.secretKey.secret "needed" false "path" "backup.secretKey.value")
  (dict "file" "TEMPORAL_API_KEY" "given" $values.temporal.apiKey.value "ref" $values.temporal.apiKey.secret "needed" false "path" "temporal.apiKey.value")
  (dict "file" "FIELDSTONE_SMTP_URL" "given" $values.smtp.url.value "ref" $values.smtp.url.secret "needed" false "path" "smtp.url.value")
  (dict "file" "OTEL_EXPORTER_OTLP_HEADERS" "given" $values.tracing.headers.value "ref" $values.tracing.headers.secret "needed" false "path" "tracing.headers.value")
}}
{{- if and $one.given $one.ref.name }}
{{- fail (printf "%s is given both as a value and as the Secret %s: set only one." $one.path $one.ref.name) }}
{{- else if $one.ref.name }}
- {file: {{ $one.file }}, secret: {{ $one.ref.name | quote }}, key: {{ $one.ref.key | default $one.file | quote }}}
{{- else if $one.given }}
- {file: {{ $one.file }}, secret: {{ $own | quote }}, key: {{ $one.file }}}
{{- else if and $one.needed $values.existingSecret }}
- {file: {{ $one.file }}, secret: {{ $values.existingSecret | quote }}, key: {{ $one.file }}}
{{- else if $one.needed }}
{{- fail (printf "%s is missing: set it, name its Secret, or name one Secret with all values in existingSecret." $one.path) }}
{{- end }}
{{- end }}
{{- range $prefix, $tls := dict "DATABASE" $values.database.tls "TEMPORAL" $values.temporal.tls "S3" $values.s3.tls "BACKUP_S3" $values.backup.tls }}
{{- if $tls.secretName }}
{{- range $name, $key := dict "CA" $tls.ca "CERT" $tls.cert "KEY" $tls.key }}
{{- with $key }}
- {file: {{ $prefix }}_{{ $name }}, secret: {{ $tls.secretName | quote }}, key: {{ . | quote }}}
{{- end }}
{{- end }}
{{- end }}
{{- end }}
{{- end }}

{{/* The secrets set in the values, for the chart's own Secret. */}}
{{- define "fieldstone.ownSecrets" -}}
{{- range $file, $value := dict
  "DATABASE_URL" .Values.database.url
  "S3_ACCESS_KEY" .Values.s3.accessKey.value
  "S3_SECRET_KEY" .Values.s3.secretKey.value
  "FIELDSTONE_SECRET_KEY" .Values.secretKey.value
  "BACKUP_S3_ACCESS_KEY" .Values.backup.accessKey.value
  "BACKUP_S3_SECRET_KEY" .Values.backup.secretKey.value
  "TEMPORAL_API_KEY" .Values.temporal.apiKey.value
  "FIELDSTONE_SMTP_URL" .Values.smtp.url.value
  "OTEL_EXPORTER_OTLP_HEADERS" .Values.tracing.headers.value }}
{{- with $value }}
{{ $file }}: {{ . | b64enc }}
{{- end }}
{{- end }}
{{- end }}

{{/* Environment of every container: settings, and the paths of secret files. Takes {root, ownSecret}. */}}
{{- define "fieldstone.env" -}}
{{- $values := .root.Values }}
{{- $plain := dict
  "FIELDSTONE_URL" $values.url
  "FIELDSTONE_EDGE_URL" $values.edgeUrl
  "FIELDSTONE_DATABASE_POOL" $values.database.poolSize
  "TEMPORAL_ADDRESS" $values.temporal.address
  "TEMPORAL_NAMESPACE" $values.temporal.namespace
  "TEMPORAL_TLS" $values.temporal.tls.enabled
  "S3_ENDPOINT" $values.s3.endpoint
  "S3_BUCKET" $values.s3.bucket
  "S3_REGION" $values.s3.region
  "FIELDSTONE_RATE_LIMIT_IP" $values.rateLimitIp
  "FIELDSTONE_RATE_LIMIT_KEY" $values.rateLimitKey
  "FIELDSTONE_TRUSTED_PROXIES" (join "," $values.trustedProxies)
  "FIELDSTONE_FETCH_ALLOW" (join "," $values.fetchAllow)
  "FIELDSTONE_EDGE_CACHE_MB" $values.edge.cacheMb
  "FIELDSTONE_BACKUP_EVERY_HOURS" $values.backup.everyHours
  "FIELDSTONE_BACKUP_KEEP" $values.backup.keep
  "FIELDSTONE_BACKUP_ALL_EVERY_HOURS" $values.backup.allEveryHours
  "FIELDSTONE_BACKUP_ALL_KEEP" $values.backup.allKeep
  "FIELDSTONE_LOG_LEVEL" $values.logLevel }}
{{- $sampler := lt (float64 $values.tracing.ratio) 1.0 | ternary "parentbased_traceidratio" "" }}
{{- range $name, $value := dict "BACKUP_S3_ENDPOINT" $values.backup.endpoint "BACKUP_S3_BUCKET" $values.backup.bucket "BACKUP_S3_REGION" $values.backup.region "FIELDSTONE_SMTP_FROM" $values.smtp.from
  "OTEL_EXPORTER_OTLP_ENDPOINT" $values.tracing.endpoint "OTEL_TRACES_SAMPLER" $sampler "OTEL_TRACES_SAMPLER_ARG" (empty $sampler | ternary "" (toString $values.tracing.ratio)) }}
{{- with $value }}{{ $_ := set $plain $name . }}{{ end }}
{{- end }}
{{- range $name, $value := merge (dict) $values.settings $plain }}
- name: {{ $name }}
  value: {{ kindIs "float64" $value | ternary (printf "%v" (int64 $value)) (toString $value) | quote }}
{{- end }}
{{- range fromYamlArray (include "fieldstone.secretFiles" .) }}
- name: {{ .file }}_FILE
  value: /etc/fieldstone/{{ .file }}
{{- end }}
{{- end }}

{{/* The volumes that every pod has. Takes {root, ownSecret, tmpSize, bare}. */}}
{{- define "fieldstone.volumes" -}}
{{- if not .bare }}
- name: secrets
  projected:
    defaultMode: 0440
    sources:
      {{- range fromYamlArray (include "fieldstone.secretFiles" .) }}
      - secret: {name: {{ .secret | quote }}, items: [{key: {{ .key | quote }}, path: {{ .file }}}]}
      {{- end }}
{{- end }}
- name: tmp
  emptyDir: {sizeLimit: {{ .tmpSize }}}
{{- end }}
