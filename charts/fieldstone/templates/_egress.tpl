{{/* Egress rules for pods: DNS and the named engines. Takes {root, engines}. */}}
{{- define "fieldstone.egress" -}}
{{- $policy := .root.Values.networkPolicy }}
{{- $ports := dict
  "dns" $policy.dns.ports
  "database" $policy.database.ports
  "temporal" ($policy.temporal.ports | default (list (include "fieldstone.addressPort" .root.Values.temporal.address)))
  "s3" ($policy.s3.ports | default (list (include "fieldstone.originPort" .root.Values.s3.endpoint)))
  "smtp" $policy.smtp.ports
  "tracing" ($policy.tracing.ports | default (list (include "fieldstone.originPort" .root.Values.tracing.endpoint)))
  "backup" ($policy.backup.ports | default (list (include "fieldstone.originPort" (.root.Values.backup.endpoint | default .root.Values.s3.endpoint)))) }}
{{- $collector := empty .root.Values.tracing.endpoint | ternary list (list "tracing") }}
{{- range $name := concat (list "dns") .engines $collector }}
{{- $rule := get $policy $name }}
# {{ $name }}
- to:
    {{- toYaml ($rule.to | default (list (dict "namespaceSelector" dict))) | nindent 4 }}
  ports:
    {{- range get $ports $name }}
    {{- if eq $name "dns" }}
    - {port: {{ int . }}, protocol: UDP}
    {{- end }}
    - {port: {{ int . }}, protocol: TCP}
    {{- end }}
{{- end }}
{{- with $policy.extraEgress }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{/* Whether a host seems to be outside this cluster, judged by its name: an address, or a name of three or more parts without "svc". */}}
{{- define "fieldstone.isOutside" -}}
{{- if and . (not (regexMatch "^(localhost|127\\..*|\\[::1\\])$" .)) }}
{{- if or (regexMatch "^([0-9.]+|\\[.*\\])$" .) (and (regexMatch "\\..+\\." .) (not (regexMatch "\\.svc(\\.|$)" .))) }}true{{ end }}
{{- end }}
{{- end }}

{{- define "fieldstone.addressPort" -}}
{{- . | splitList ":" | last }}
{{- end }}

{{- define "fieldstone.originPort" -}}
{{- $origin := urlParse . }}
{{- if regexMatch ":[0-9]+$" $origin.host }}{{ $origin.host | splitList ":" | last }}{{ else }}{{ eq $origin.scheme "https" | ternary "443" "80" }}{{ end }}
{{- end }}

{{/* Egress rules for the internet: never to private addresses. */}}
{{- define "fieldstone.fetchEgress" -}}
{{- $fetch := .Values.networkPolicy.fetch }}
# the internet
- to:
    - ipBlock:
        cidr: 0.0.0.0/0
        except:
          {{- toYaml $fetch.except | nindent 10 }}
    {{- with $fetch.cidrV6 }}
    - ipBlock:
        cidr: {{ . | quote }}
        except:
          {{- toYaml $fetch.exceptV6 | nindent 10 }}
    {{- end }}
  ports:
    {{- range $fetch.ports }}
    - {port: {{ int . }}, protocol: TCP}
    {{- end }}
{{- with $fetch.extra }}
{{ toYaml . }}
{{- end }}
{{- end }}
