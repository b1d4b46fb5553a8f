//! What a request asks, once it is let in: which tools there are, or to call one.

use std::sync::Arc;
use std::time::Duration;

use axum::http::request::Parts;
use rmcp::model::{
    CallToolRequestMethod, CallToolRequestParams, CallToolResponse, CallToolResult, CompleteRequestMethod,
    CompleteRequestParams, CompleteResult, ConstString, ContentBlock, CustomRequest, CustomResult, ErrorCode,
    Implementation, InitializeResultMethod, ListPromptsRequestMethod, ListPromptsResult,
    ListResourceTemplatesRequestMethod, ListResourceTemplatesResult, ListResourcesRequestMethod, ListResourcesResult,
    ListToolsResult, MetaObject, PaginatedRequestParams, ServerCapabilities, ServerConfig, Tool,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer, ServerHandler};
use serde_json::{Value, json};

use super::calls::CallsInProgress;
use super::progress::{ProgressReports, tell};
use super::tool_list::listed;
use super::{McpLimits, TokenHolder, ToolHost};
use crate::model::text::one_line;
use crate::model::tool::{self, ToolEntry, tools};
use crate::model::{ChatId, Problem, ProblemKind, ResultExt, ToolCall};

/// One value for all requests: what differs comes with each.
#[derive(Clone)]
pub(super) struct Handler {
    tool_host: Arc<dyn ToolHost>,
    calls: CallsInProgress,
    heartbeat: Duration,
    patience: Duration,
    patience_with_progress: Duration,
}

impl ServerHandler for Handler {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(Implementation::new("parlour", env!("CARGO_PKG_VERSION")))
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let caller = caller(&context)?;
        let offered = self.offered(&caller).map(listed);
        let tools = ListToolsResult::with_all_items(offered.collect());
        self.tool_host.connected(&caller);
        Ok(tools)
    }

    /// The library looks here for a tool's schema when it checks headers. It names no caller, so it sees all.
    fn get_tool(&self, name: &str) -> Option<Tool> {
        tool::named(name).map(listed)
    }

    async fn call_tool(
        &self,
        asked: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let caller = caller(&context)?;
        let mut known = tools(self.tool_host.equipped(&caller));
        let Some(tool) = known.find(|tool| tool.name == asked.name) else {
            let name = one_line(&asked.name, 100);
            return Err(ErrorData::invalid_params(format!("unknown tool: {name}"), None));
        };
        if let Some(why) = self.tool_host.withheld(&caller, tool.name) {
            let hint = "do without it, or ask the user for it";
            let problem = Problem::new(format!("calling {}", tool.name), why, hint);
            self.tool_host.failed(&caller, tool.name, &problem.to_string());
            return Ok(refused(&problem).into());
        }
        let gone = context.ct.clone();
        let result = match (tool.parse)(asked.arguments.unwrap_or_default()) {
            Ok(call) => self.run(tool, caller.clone(), call, context).await,
            Err(error) => Err(Problem::of(format!("reading the arguments of {}", tool.name), &error)
                .of_kind(ProblemKind::User)
                .hinted("correct them and call again")),
        };
        Ok(match result {
            Ok(answer) => CallToolResult::structured(answer),
            Err(problem) => {
                // Of a call that nobody waits for, its CLI tells no end.
                if !gone.is_cancelled() {
                    self.tool_host.failed(&caller, tool.name, &problem.to_string());
                }
                refused(&problem)
            }
        }
        .into())
    }

    // There are tools and nothing else. The library would answer each of these with an empty list.

    async fn list_prompts(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        Err(ErrorData::method_not_found::<ListPromptsRequestMethod>())
    }

    async fn list_resources(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        Err(ErrorData::method_not_found::<ListResourcesRequestMethod>())
    }

    async fn list_resource_templates(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        Err(ErrorData::method_not_found::<ListResourceTemplatesRequestMethod>())
    }

    async fn complete(
        &self,
        _: CompleteRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CompleteResult, ErrorData> {
        Err(ErrorData::method_not_found::<CompleteRequestMethod>())
    }

    /// What the library takes for no request that it knows, a call of a tool with odd params among them.
    async fn on_custom_request(
        &self,
        request: CustomRequest,
        _: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        match request.method.as_str() {
            CallToolRequestMethod::VALUE => {
                let cause = "params is an object with name, a text, and arguments, an object";
                Err(ErrorData::invalid_params(cause, None))
            }
            InitializeResultMethod::VALUE => {
                let cause =
                    "params is an object with protocolVersion, a text, and capabilities and clientInfo, objects";
                Err(ErrorData::invalid_params(cause, None))
            }
            _ => Err(ErrorData::new(ErrorCode::METHOD_NOT_FOUND, request.method, None)),
        }
    }
}

impl Handler {
    pub fn new(tool_host: Arc<dyn ToolHost>, calls: CallsInProgress, limits: &McpLimits) -> Handler {
        Handler {
            tool_host,
            calls,
            heartbeat: limits.heartbeat,
            patience: limits.answer_time,
            patience_with_progress: limits.answer_time_with_progress,
        }
    }

    fn offered<'h>(&'h self, caller: &'h ChatId) -> impl Iterator<Item = &'static ToolEntry> + 'h {
        let all = tools(self.tool_host.equipped(caller));
        all.filter(|tool| self.tool_host.withheld(caller, tool.name).is_none())
    }

    /// Wait for the answer as long as the caller does, and a little less than it can.
    async fn run(
        &self,
        tool: &ToolEntry,
        caller: ChatId,
        call: ToolCall,
        context: RequestContext<RoleServer>,
    ) -> Result<Value, Problem> {
        let running = self.calls.begin(&caller, &context.id);
        let listening = context.meta.get_progress_token();
        let patience = match listening {
            Some(_) => self.patience_with_progress,
            None => self.patience,
        };
        let (progress, heard) = ProgressReports::channel();
        let cancelled = running.cancelled.clone();
        let work = self.tool_host.call(caller, call, progress, cancelled.clone());
        // Apart from this request, so that the engine hears of a cancellation also when its caller is gone.
        let work = tokio::spawn(work);
        let told = tell(heard, listening, context.peer, self.heartbeat);
        let doing = || format!("calling {}", tool.name);
        tokio::select! {
            answer = work => {
                running.finish();
                let fault = "this is a fault in parlour; tell the user";
                let answer = answer.map_err(|error| Problem::fault(doing(), error).hinted(fault))??;
                (tool.shape)(answer).doing_or(doing(), fault)
            }
            never = told => match never {},
            () = tokio::time::sleep(patience) => {
                running.finish();
                let again = "call it again with the same arguments to wait for the result";
                Err(Problem::busy(doing(), "still running", again))
            }
            () = cancelled.cancelled() => Err(Problem::new(doing(), "cancelled", "call it again if you still want it")),
            // The caller is gone: nobody reads this, and dropping `running` cancels the call.
            () = context.ct.cancelled() => Err(Problem::new(doing(), "the caller is gone", "call it again")),
        }
    }
}

/// In words for the model. Programs find the kind in `_meta`, because some CLIs show the model a structured answer instead
/// of the words; so only a limit that was reached is one.
fn refused(problem: &Problem) -> CallToolResult {
    let mut result = CallToolResult::error(vec![ContentBlock::text(problem.to_string())]);
    result.structured_content = problem.limit.as_ref().map(|limit| json!({"limit": limit}));
    result.meta = Some(MetaObject(
        [("parlour/kind".into(), json!(problem.kind))].into_iter().collect(),
    ));
    result
}

/// The authentication's word on who calls; nothing in the message is.
fn caller(context: &RequestContext<RoleServer>) -> Result<ChatId, ErrorData> {
    let head = context.extensions.get::<Parts>();
    let caller = head.and_then(|head| head.extensions.get::<TokenHolder>());
    let unknown = || ErrorData::internal_error("the request came past the authentication", None);
    caller.map(|caller| caller.chat.clone()).ok_or_else(unknown)
}
